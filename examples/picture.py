"""What to do in the fight that a picture shows.

    python examples/picture.py IMAGE CLASS [arena|dofus-unity|dofus-2|dofus-retro]

CLASS is one of the arena's, such as ember, or one of the real game's once its data were brought.
"""

import sys
from pathlib import Path

from botapp import create_advisor
from botapp.tracking.image_file import image_frame
from botapp.tracking.player_profile import PlayerProfile
from botapp.tracking.state_tracker import StateTracker

if not 3 <= len(sys.argv) <= 4:
    sys.exit(__doc__)
image, player_class, client = (*sys.argv[1:], "arena")[:3]
tracker = StateTracker(PlayerProfile(client, player_class))
tracked = tracker.update(image_frame(Path(image)))
if tracked.state is None:
    sys.exit(f"No advice: {tracked.withheld}")
for choice in create_advisor().decide(tracked.state).choices:
    print(f"{choice.chance:5.0%} to win  {choice.label}")
