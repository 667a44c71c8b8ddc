"""What stands where in `e`, the array of decimals that an evaluation works on.

The head is filled by `botapp.search.core.static.prepare` from a decision's first state and holds for all
that follow from it. Then comes room that is overwritten at each call, then what was worked out before: slots
that a tag (see `botapp.search.core.tags`) chooses, each with its tag first. What they hold depends on nothing
but the book, the head and what the tag is made of; what depends on the head is forgotten with it, so an `e`
belongs to one book and serves all decisions of its fight.
Next hop: the modules beside this one.
"""

from botapp.fight.core.layout import MOST_FIGHTERS, MOST_SPELLS, SET, SETS

# --- The head ---------------------------------------------------------------------------------------------
SIDE = 0
"""The team whose side is taken."""
DECIDER = 1
"""Number of the fighter whose turn it was."""
TOTAL = 2
"""What both sides have at full HP."""
WON = 3
"""The value of a fight won."""
INCOMING = 4
"""The blows that may come in a turn at somebody of team 0, of team 1, in HP."""
MEAN_HP = 6
"""The full HP of those who came by themselves, on average."""
BETWEEN = 7
"""The set of cells that the others stood on."""

# --- Room -------------------------------------------------------------------------------------------------
STAT_TAGS = BETWEEN + SET
"""By fighter number, as the two that follow; see `botapp.search.core.tags`."""
TARGET_TAGS = STAT_TAGS + MOST_FIGHTERS
STRIKER_TAGS = TARGET_TAGS + MOST_FIGHTERS
MARKED_TAGS = STRIKER_TAGS + MOST_FIGHTERS
"""By fighter number; see `botapp.search.core.mark_values`."""
OPTIONS = MARKED_TAGS + MOST_FIGHTERS
"""Blows to choose from: the damage, the cost in AP and how often, for each."""
OPTION = 3
BEST = OPTIONS + MOST_SPELLS * OPTION
"""The most damage by the AP spent."""
MOST_AP_COUNTED = 255
STRIKES = BEST + MOST_AP_COUNTED + 1
"""The damage of an enemy's best turn, by the enemy's number and the target's."""
SUFFERED = STRIKES + MOST_FIGHTERS * MOST_FIGHTERS
"""The damage to be expected, by fighter number."""
VALUES = SUFFERED + MOST_FIGHTERS
"""What `botapp.search.core.heuristic.heuristic_values` has found, one for each cell asked for."""

# --- What was worked out before ---------------------------------------------------------------------------
POWERS = VALUES + 560
POWER_SLOTS = 256
PAYLOADS = POWERS + 2 * POWER_SLOTS
PAYLOAD_SLOTS = 1024
DAMAGES = PAYLOADS + 2 * PAYLOAD_SLOTS
DAMAGE_SLOTS = 4096
RADII = DAMAGES + 2 * DAMAGE_SLOTS
RADIUS_SLOTS = 256
KNOWN_STRIKES = RADII + 2 * RADIUS_SLOTS
STRIKE_SLOTS = 4096
OUTLOOKS = KNOWN_STRIKES + 2 * STRIKE_SLOTS
OUTLOOK_SLOTS = 4096
WALKS = OUTLOOKS + 2 * OUTLOOK_SLOTS
"""Sets of cells that can be walked to, nobody being in the way."""
WALK_SLOTS = 256
WALK = 1 + SET
PLANS = WALKS + WALK_SLOTS * WALK
"""See `botapp.search.core.outlooks`."""
PLAN_SLOTS = 64
PLAN_WHOLE = 1
PLAN_BLOWS = 2
PLAN_OPTIONS = 3
PLAN_CELLS = PLAN_OPTIONS + MOST_SPELLS * OPTION
PLAN = PLAN_CELLS + 560

# --- The learned evaluation -------------------------------------------------------------------------------
INPUT = 40
"""A row of inputs: the team, then the columns of `botapp.search.core.inputs`."""
INPUT_ROWS = PLANS + PLAN_SLOTS * PLAN
PAIR = 6
"""What there is to say of two fighters, see `botapp.search.core.inputs`."""
PAIRS = INPUT_ROWS + MOST_FIGHTERS * INPUT
"""For each row those with all rows."""
TURNS_UNTIL = PAIRS + MOST_FIGHTERS * MOST_FIGHTERS * PAIR
"""How many of the living act before each, by fighter number."""
WIDTHS = (64, 32, 48, 32)
"""Of the layers: of a fighter by itself, of two fighters, of a fighter among the others, of both sides."""
_ALONE, _TWO, _AMONG, _BOTH = WIDTHS
ALONE = TURNS_UNTIL + MOST_FIGHTERS
"""For each row the first layer, what it tells the others, how it hears them, the sum of what it heard."""
ALONE_ROW = _ALONE + 3 * _TWO
LAYER = ALONE + MOST_FIGHTERS * ALONE_ROW
"""Room for a layer's sums."""
SIDES = LAYER + max(WIDTHS)
"""The sums over the fighters of team 0, then of team 1."""
LEARNED = SIDES + 2 * _AMONG
"""The weight of what the network says beside the heuristic evaluation, 0 where there is no network."""
WEIGHTS = LEARNED + 1
LAYERS = {
    "alone": (INPUT, _ALONE),
    "tells": (_ALONE + 1, _TWO),
    "hears": (_ALONE + PAIR, _TWO),
    "among": (_ALONE + _TWO + 1, _AMONG),
    "both": (2 * _AMONG + 1, _BOTH),
    "last": (1, _BOTH),
}
"""The weights, one layer after the other: inputs and outputs; a bias comes before the inputs, but `hears` and
`last` have none."""
WEIGHT_COUNT = sum(inputs * outputs for inputs, outputs in LAYERS.values())
EVALUATION = WEIGHTS + WEIGHT_COUNT
"""Length of an `e`."""

# --- Sets of cells in a state's scratch ---------------------------------------------------------------------
FIRST_SET, SECOND_SET, THIRD_SET = SETS + 40 * SET, SETS + 41 * SET, SETS + 42 * SET
