"""What stands where in a search's three arrays: whole numbers `k`, decimals `v` and the pool of states `q`.

`k` has 64 bits: a head, then nodes, edges, a hash table, a heap and room. `v` has the nodes' values and the
heap's priorities. `q` has each node's state, as many words as it uses. `rk`, `rv` and `rq` are the same of a
smaller search: that of a reply.
Next hop: `botapp.search.core.tree`.
"""

# --- The head of k --------------------------------------------------------------------------------------
NODES = 0
EDGES = 1
HEAPED = 2
LOOKS = 3
"""States evaluated: nodes, and cells that a walk could end on."""
PLAYED = 4
"""Rollouts run."""
PLAYED_ACTIONS = 5
"""Actions that the others have taken in them."""
DECIDER = 6
"""Number of the fighter whose turn is searched."""
DEFAULT_END = 7
"""Node in which the default policy ends the turn."""
DEFAULT_ACTION = 8
"""Its first action, see `code_of`; 0 for ending the turn."""
POOLED = 9
"""Words of the pool in use."""
MOST_NODES = 10
MOST_EDGES = 11
TABLE_MASK = 12
"""Length of the hash table less one; the length is a power of two."""
MOST_POOLED = 13
NODES_AT = 14
EDGES_AT = 15
TABLE_AT = 16
HEAP_AT = 17
ROOM_AT = 18
"""Room for as many words as there are edges, and 2,048 more."""
EXPANDED = 19
"""Nodes expanded."""
ENDS_AT = 20
"""The ends of turn that are played on from in this pass, `MOST_ENDS` at most, then room for as many."""
ENDS = 21
NEXT_END = 22
"""Which of them comes next."""
PASS = 23
"""Passes done in this cycle."""
CYCLE = 24
"""Cycles done; -1 before the first rollout."""
FIRST_ENDS = 25
"""Ends of the first cycle."""
WALKS = 27
"""Walks tried of those that open up the same casts."""
PASSES = 26
"""Passes of a cycle."""
BEHIND = 28
"""Which of the named candidates' ends `PLAY_BEHIND` plays on from."""
NAMED_AT = 29
"""The nodes of the named candidates, `MOST_NAMED` at most."""
JUDGED = 31
"""Whether the learned evaluation has judged the ends."""
DICE_SHIFT = 30
"""Makes the dice of all rollouts others where it is not 0."""
REPLY_LOOKS = 32
"""States evaluated for the turn of each of the others in a rollout, 0 where the default policy plays it."""
PLANNED_END = 33
"""Node in which the turn planned before ends, 0 for none."""
HEAD = 34
MOST_ENDS = 128
ANSWERS = 512
"""Decimals behind the nodes' in `v` that answers are written to; the values of a pass's rollouts follow."""
MOST_NAMED = 60

# --- A node in k, and its values in v ---------------------------------------------------------------------
HASH = 0
STATE_AT = 1
WALKED = 2
"""Whether a walk led here."""
OPEN = 3
"""Whether the turn goes on here."""
FIRST_EDGE, LAST_EDGE, EDGE_COUNT = 4, 5, 6
PV_END, PV_EDGE = 7, 8
"""The end of turn that the principal variation leads to, and its first edge; -1 where it ends here."""
VISITS = 9
"""Rollouts begun here."""
SEEN = 10
"""For going through the nodes."""
NAMED = 11
"""Bits of the named candidates that the node is an end of turn behind."""
NODE = 12

ESTIMATE, STATIC, DANGER, HOPE, POTENTIAL, HERE, VALUE, MEAN, SPREAD = range(9)
"""The heuristic evaluation and what it is made of; what the AP left may do; the value of ending the turn
here, and of the best end behind it; the value by rollouts, and their squared deviations from it, summed."""
NODE_VALUES = 9

# --- An edge in k ----------------------------------------------------------------------------------------
CODE = 0
CHILD = 1
NEXT = 2
EDGE = 3

WALK_SLOT = 63
"""Stands for a walk where a code has a spell's slot."""
CODE_CELLS = 1024
