"""Numbers that mean the same in all searches: why a kernel returned, and what its scalars are.

A search keeps its scalars in an array, `numbers`, so that kernels can change them. The first places of that
array are named here; each search names the places from OWN_PLACES on for itself.
"""

FOUND, EXHAUSTED, MORE, GROW, PAUSED = range(1, 6)
"""Why a search returned: it found a solution or model, it has shown that there is none, its budget is used
up, an array is full, or it has made the one step that it was asked for."""

NONE = -1
"""Instead of an index, if there is none."""

UNASSIGNED = -1
"""Instead of the value, 0 or 1, of a cell or a variable that has none yet."""

PROPAGATE, DECIDE = 0, 1
"""Steps of a search, in NEXT_STEP; each search adds its own from 2 on."""

NEXT_STEP = 0  # what the search does next
TRAIL_SIZE = 1  # how many literals or cells are on the trail
QUEUE_HEAD = 2  # how many of them have been propagated: the trail is also the propagation queue
DECISION_LEVEL = 3  # how many decisions are on the trail
CONFLICT_CLAUSE = 4  # the clause whose literals are all false; NONE or another code if there is none
CONFLICT_COUNT = 5  # conflicts so far
DECISION_COUNT = 6  # decisions so far
PROPAGATION_COUNT = 7  # propagations so far
NODE_COUNT = 8  # nodes of the search tree visited so far, by searches that do not count decisions
OWN_PLACES = 9
