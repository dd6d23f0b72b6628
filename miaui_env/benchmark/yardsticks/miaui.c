/* Miaui for four seats in C: what `Tables` is measured against.

   Written from RULES.md (rule numbers M1-M14 beside the code) and from the record in `pieces.py` and
   the fields in `view.py`: the printed game at one table size, without the variants, so seats, hands
   and spaces are constants and the compiler may unroll what it likes. Plain C, no intrinsics. A step
   does all that a step of `Tables` does, in the same buffers and to the last bit: checks every
   action before any table moves, plays, keeps piles in order, shares out, deals the next game of
   the row's seed in the step that ends one, writes int8 observations and masks. */

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { SEATS = 4, HAND = 12, SPACES = 3, CARDS = 37, BOXED = 1, SIZE = 107 };
enum { MAX_SEATS = 6, MAX_CARDS = 64, MAX_PILE = 36, KINDS = 23 };
enum { NONE = 0, FIRST_LANTERN = 16, FIRST_JELLYFISH = 20, GULL = 22, FACE_DOWN = 23 };
enum { DECK_LUCK, GULL_LUCK, KITI_LUCK };
enum { ALL = (1 << SEATS) - 1, FULL_HAND = (1 << HAND) - 1 };

const int seats = SEATS;

typedef struct {
    int32_t to_act, points[MAX_SEATS], hands[MAX_SEATS];
    int16_t turn;
    int8_t num_players, perfect_recall, over;
    int8_t open_baskets, no_fighting, hand_size, spaces, kiti_fixed, num_cards, cards[KINDS];
    int8_t stacked, kiti_stacked, deck[MAX_CARDS], top, boxed[KINDS], unseen[KINDS], gulls_returned;
    int8_t lagoon[SPACES][HAND], lagoon_size[SPACES], peeker[SPACES];
    int8_t piles[MAX_SEATS][MAX_PILE], pile_size[MAX_SEATS], kiti;
    int8_t committed[MAX_SEATS], dived[MAX_SEATS][HAND], last_dives[MAX_SEATS];
    int8_t last_taker[SPACES], last_catch[SPACES][HAND], last_catch_size[SPACES], spare;
} Table;

const int record_size = sizeof(Table);

static const int8_t VALUE[KINDS] = {0,  1,  2,  3,  4,  5, 6, 7, 8, 9,   10,  11,
                                    12, 13, 14, 15, 1, 3, 5, 7, -10, -15, 0};

static bool is_lantern(int card) { return card >= FIRST_LANTERN && card < FIRST_JELLYFISH; }
static bool is_jellyfish(int card) { return card >= FIRST_JELLYFISH && card < GULL; }

/* --- luck: see rng.py ------------------------------------------------------------------------- */

static uint64_t mix(uint64_t key, uint64_t word) {
    const uint64_t golden = 0x9E3779B97F4A7C15u;
    uint64_t x = (key ^ (word * golden)) + golden;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return x ^ (x >> 31);
}

static int draw(uint64_t key, uint64_t purpose, uint64_t j, uint64_t n) {
    uint64_t x = mix(mix(key, purpose), j);
    uint64_t reject_below = ((1ull << 32) - n) % n;
    uint64_t product = (x >> 32) * n;
    while ((product & 0xFFFFFFFFu) < reject_below) {
        x = mix(x, 0x9E3779B97F4A7C15u);
        product = (x >> 32) * n;
    }
    return (int)(product >> 32);
}

/* --- setup ------------------------------------------------------------------------------------ */

static void clear(Table *t) {
    t->over = t->gulls_returned = t->stacked = 0;
    t->kiti_stacked = -1;
    memset(t->boxed, 0, sizeof t->boxed);
    memcpy(t->unseen, t->cards, sizeof t->unseen);
    memset(t->lagoon, NONE, sizeof t->lagoon);
    memset(t->lagoon_size, 0, sizeof t->lagoon_size);
    memset(t->peeker, -1, sizeof t->peeker);
    memset(t->piles, NONE, sizeof t->piles);
    memset(t->pile_size, 0, sizeof t->pile_size);
    memset(t->points, 0, sizeof t->points);
    memset(t->committed, 0, sizeof t->committed);
    memset(t->dived, 0, sizeof t->dived);
    memset(t->last_dives, 0, sizeof t->last_dives);
    memset(t->last_taker, -1, sizeof t->last_taker);
    memset(t->last_catch, NONE, sizeof t->last_catch);
    memset(t->last_catch_size, 0, sizeof t->last_catch_size);
    for (int seat = 0; seat < MAX_SEATS; seat++) t->hands[seat] = seat < SEATS ? FULL_HAND : 0;
}

static void shuffle(Table *t, uint64_t key) {
    int place = 0;
    for (int kind = 0; kind < KINDS; kind++)
        for (int i = 0; i < t->cards[kind]; i++) t->deck[place++] = kind;
    for (int i = CARDS - 1; i > 0; i--) {
        int j = draw(key, DECK_LUCK, i, i + 1);
        int8_t card = t->deck[i];
        t->deck[i] = t->deck[j];
        t->deck[j] = card;
    }
}

/* M3, M11: a card laid where a Lantern was just caught stays unseen but for its peeker. */
static void lay(Table *t, int space) {
    int card = t->deck[t->top++];
    t->lagoon[space][0] = card;
    t->lagoon_size[space] = 1;
    if (t->peeker[space] < 0) t->unseen[card]--;
}

/* M4: Seagulls of round 1 are put aside, replaced, and go back anywhere into the deck. */
static void stock_first_round(Table *t, uint64_t key) {
    int aside = 0;
    for (int space = 0; space < SPACES; space++) {
        for (; t->deck[t->top] == GULL; t->top++) aside++;
        lay(t, space);
    }
    for (int back = 0; back < aside; back++) {
        int above = draw(key, GULL_LUCK, back, CARDS - t->top + 1);
        t->top--;
        memmove(&t->deck[t->top], &t->deck[t->top + 1], above);
        t->deck[t->top + above] = GULL;
    }
    t->gulls_returned = aside;
    for (int space = 0; space < SPACES; space++) t->deck[BOXED + space] = t->lagoon[space][0];
}

static void ask_for_dives(Table *t) { t->to_act = ALL; }

static void deal(Table *t, uint64_t key) {
    clear(t);
    t->kiti = t->kiti_fixed >= 0 ? t->kiti_fixed : draw(key, KITI_LUCK, 0, SEATS); /* M1 */
    shuffle(t, key);
    for (t->top = 0; t->top < BOXED; t->top++) t->boxed[t->deck[t->top]]++; /* M2 */
    stock_first_round(t, key);
    t->turn = 1;
    ask_for_dives(t);
}

/* --- a round ---------------------------------------------------------------------------------- */

static void box_from_pile(Table *t, int seat, int place) {
    int8_t *pile = t->piles[seat];
    int card = pile[place], last = --t->pile_size[seat];
    memmove(&pile[place], &pile[place + 1], last - place);
    pile[last] = NONE;
    t->points[seat] -= VALUE[card];
    t->boxed[card]++;
}

static int count_jellyfish(const Table *t, int seat) {
    int count = 0;
    for (int i = 0; i < t->pile_size[seat]; i++) count += is_jellyfish(t->piles[seat][i]);
    return count;
}

/* M8-M10 */
static void land(Table *t, int seat, int card) {
    if (card == GULL) {
        t->boxed[GULL]++;
        if (t->pile_size[seat] > 0) box_from_pile(t, seat, t->pile_size[seat] - 1);
        return;
    }
    t->piles[seat][t->pile_size[seat]++] = card;
    t->points[seat] += VALUE[card];
    if (is_jellyfish(card) && count_jellyfish(t, seat) == 3)
        for (int i = t->pile_size[seat] - 1; i >= 0; i--)
            if (is_jellyfish(t->piles[seat][i])) box_from_pile(t, seat, i);
}

/* M6, M7: the best card still in; the highest, or at the last space the lowest; ties by Kiti. */
static int taker_of(const Table *t, int space, int divers) {
    bool shallow = space == SPACES - 1;
    int step = shallow ? 1 : SEATS - 1;
    int seat = shallow ? t->kiti + 1 : t->kiti;
    int taker = -1, best = 0;
    for (int i = 0; i < SEATS; i++, seat += step) {
        int other = seat % SEATS;
        if (!(divers >> other & 1)) continue;
        int dive = t->committed[other];
        if (taker < 0 || (shallow ? dive < best : dive > best)) taker = other, best = dive;
    }
    return taker;
}

static void catch_card(Table *t, int seat, int space) {
    int card = t->lagoon[space][0];
    if (t->peeker[space] >= 0) t->unseen[card]--; /* M12 */
    t->last_catch[space][0] = card;
    t->last_catch_size[space] = 1;
    t->last_taker[space] = seat;
    t->lagoon[space][0] = NONE;
    t->lagoon_size[space] = 0;
    t->peeker[space] = is_lantern(card) ? seat : -1; /* M11 */
    land(t, seat, card);
}

/* M5-M13 */
static void reveal(Table *t) {
    int divers = ALL;
    for (int space = 0; space < SPACES; space++) {
        int taker = taker_of(t, space, divers);
        divers &= ~(1 << taker);
        catch_card(t, taker, space);
    }
    for (int seat = 0; seat < SEATS; seat++) {
        t->last_dives[seat] = t->dived[seat][t->turn - 1] = t->committed[seat];
        t->committed[seat] = 0;
    }
    t->kiti = (t->kiti + 1) % SEATS; /* M13 */
    if (t->turn == HAND) {
        t->over = 1;
        return;
    }
    for (int space = 0; space < SPACES; space++) lay(t, space);
    t->turn++;
    ask_for_dives(t);
}

static void play(Table *t, int seat, int action) {
    t->hands[seat] &= ~(1 << action);
    t->to_act &= ~(1 << seat);
    t->committed[seat] = action + 1;
    if (t->to_act == 0) reveal(t);
}

/* --- what a seat may know --------------------------------------------------------------------- */

/* value, plain fish, Lantern, Jellyfish, and (entries 6) Seagull, face down */
static int8_t *put_card(int8_t *out, int card, int entries) {
    bool is_fish = card != NONE && card < FIRST_LANTERN;
    *out++ = card == FACE_DOWN ? 0 : VALUE[card];
    *out++ = is_fish;
    *out++ = is_lantern(card);
    *out++ = is_jellyfish(card);
    if (entries == 6) {
        *out++ = card == GULL;
        *out++ = card == FACE_DOWN;
    }
    return out;
}

static int8_t *put_one_hot(int8_t *out, int index, int n) {
    for (int i = 0; i < n; i++) *out++ = i == index;
    return out;
}

static int8_t *put_bits(int8_t *out, int bits, int n) {
    for (int i = 0; i < n; i++) *out++ = bits >> i & 1;
    return out;
}

/* A seat as `seat` sees it: itself 0, then clockwise; -1 for nobody. */
static int relative(int other, int seat) { return other < 0 ? -1 : (other + SEATS - seat) % SEATS; }

static void observe(const Table *t, int seat, int8_t *out) {
    int around[SEATS];
    for (int i = 0; i < SEATS; i++) around[i] = (seat + i) % SEATS;

    *out++ = t->turn;
    *out++ = t->turn <= 2 ? t->gulls_returned : 0;
    out = put_one_hot(out, relative(t->kiti, seat), SEATS);
    for (int i = 0; i < SEATS; i++) *out++ = t->to_act >> around[i] & 1;
    out = put_bits(out, t->hands[seat], HAND);
    *out++ = t->committed[seat];

    for (int space = 0; space < SPACES; space++) {
        int card = t->lagoon[space][0], peeker = t->peeker[space];
        bool hidden = card != NONE && peeker >= 0 && peeker != seat;
        out = put_card(out, hidden ? FACE_DOWN : card, 6);
    }
    for (int space = 0; space < SPACES; space++) {
        int peeker = t->lagoon_size[space] > 0 ? t->peeker[space] : -1;
        out = put_one_hot(out, relative(peeker, seat), SEATS);
    }

    for (int i = 0; i < SEATS; i++) *out++ = t->pile_size[around[i]];
    for (int i = 0; i < SEATS; i++) {
        int size = t->pile_size[around[i]];
        out = put_card(out, size ? t->piles[around[i]][size - 1] : NONE, 4);
    }
    int size = t->pile_size[seat];
    for (int i = 0; i < HAND; i++) *out++ = i < size ? t->piles[seat][size - 1 - i] : NONE;
    *out++ = count_jellyfish(t, seat);
    *out++ = t->points[seat] >> 7;
    *out++ = t->points[seat] & 127;

    for (int i = 0; i < SEATS; i++) *out++ = t->last_dives[around[i]];
    for (int space = 0; space < SPACES; space++)
        out = put_one_hot(out, relative(t->last_taker[space], seat), SEATS);
    for (int space = 0; space < SPACES; space++) *out++ = t->last_catch[space][0];
}

static bool owes(const Table *t, int seat) { return t->to_act >> seat & 1; }

static void mask_of(const Table *t, int seat, int8_t *mask) {
    put_bits(mask, owes(t, seat) && !t->over ? t->hands[seat] : 0, HAND);
}

static void emit(const Table *t, int8_t (*observations)[SIZE], int8_t (*masks)[HAND],
                 bool *to_act) {
    for (int seat = 0; seat < SEATS; seat++) {
        to_act[seat] = !t->over && owes(t, seat);
        if (!to_act[seat]) continue;
        observe(t, seat, observations[seat]);
        mask_of(t, seat, masks[seat]);
    }
}

/* --- many tables ------------------------------------------------------------------------------ */

/* The first action that cannot be played, as table * SEATS + seat; -1 if all can. */
static int64_t first_fault(int64_t tables, const Table *table, const int16_t (*actions)[SEATS]) {
    for (int64_t i = 0; i < tables; i++)
        for (int seat = 0; seat < SEATS; seat++) {
            int action = actions[i][seat];
            if (action == -1) continue;
            bool legal = action >= 0 && action < HAND && table[i].hands[seat] >> action & 1;
            if (table[i].over || !owes(&table[i], seat) || !legal) return i * SEATS + seat;
        }
    return -1;
}

static void share_out(const Table *t, double *shares) {
    int best = t->points[0], winners = 0;
    for (int seat = 1; seat < SEATS; seat++)
        if (t->points[seat] > best) best = t->points[seat];
    for (int seat = 0; seat < SEATS; seat++) winners += t->points[seat] == best;
    for (int seat = 0; seat < SEATS; seat++)
        shares[seat] = t->points[seat] == best ? 1.0 / winners : 0.0;
}

/* Weighted sum of win, margin and points; the first two at the end only. */
static void reward(const Table *t, const int32_t *before, const double *shares,
                   const double *weights, float *rewards) {
    int total = 0;
    for (int seat = 0; seat < SEATS; seat++) total += t->points[seat];
    for (int seat = 0; seat < SEATS; seat++) {
        int own = t->points[seat];
        double sum = weights[2] * (own - before[seat]);
        if (t->over) {
            sum += weights[0] * (SEATS * shares[seat] - 1.0) / (SEATS - 1);
            sum += weights[1] * (own - (total - own) / (SEATS - 1.0));
        }
        rewards[seat] = (float)sum;
    }
}

/* One step of all tables; returns -1, or the first illegal action, and then nothing has moved. */
int64_t step(int64_t tables, Table *table, const uint64_t *seeds, int64_t *episodes, uint64_t *keys,
             const int16_t (*actions)[SEATS], const double *weights, int32_t (*points)[SEATS],
             int32_t (*decisions)[SEATS], int8_t (*observations)[SEATS][SIZE],
             int8_t (*masks)[SEATS][HAND], float (*rewards)[SEATS], bool *terminated,
             bool (*to_act)[SEATS], int8_t (*final_observations)[SEATS][SIZE],
             int32_t (*final_points)[SEATS], double (*win_shares)[SEATS]) {
    int64_t fault = first_fault(tables, table, actions);
    if (fault >= 0) return fault;
    for (int64_t i = 0; i < tables; i++) {
        Table *t = &table[i];
        for (int seat = 0; seat < SEATS; seat++)
            if (actions[i][seat] != -1) {
                play(t, seat, actions[i][seat]);
                decisions[i][seat]++;
            }
        terminated[i] = t->over;
        if (t->over) share_out(t, win_shares[i]);
        reward(t, points[i], win_shares[i], weights, rewards[i]);
        memcpy(points[i], t->points, sizeof points[i]);
        if (t->over) {
            memcpy(final_points[i], t->points, sizeof final_points[i]);
            for (int seat = 0; seat < SEATS; seat++) observe(t, seat, final_observations[i][seat]);
            keys[i] = mix(seeds[i], ++episodes[i]);
            deal(t, keys[i]);
            memset(points[i], 0, sizeof points[i]);
            memset(decisions[i], 0, sizeof decisions[i]);
        }
        emit(t, observations[i], masks[i], to_act[i]);
    }
    return -1;
}
