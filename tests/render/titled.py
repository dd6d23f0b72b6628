"""What a picture names: the titles in it, as often as they are seen."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Container


def titles(svg: str) -> Counter[str]:
    """How often each title is told; what stands in a definition counts once a use."""
    root = ET.fromstring(svg)
    definitions = {node.get("id"): node for node in root.iter() if node.get("id")}

    def count(node: ET.Element) -> Counter[str]:
        found: Counter[str] = Counter()
        for part in node:
            if part.tag.endswith("defs"):
                continue
            if part.tag.endswith("title"):
                found[str(part.text)] += 1
            found += count(part)
            if part.tag.endswith("use"):
                found += count(definitions[(part.get("href") or "#")[1:]])
        return found

    return count(root)


def counted(svg: str, names: Container[str]) -> Counter[str]:
    """The same of these names alone."""
    return Counter({name: n for name, n in titles(svg).items() if name in names})
