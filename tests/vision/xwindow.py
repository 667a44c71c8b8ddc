"""A window for the tests to watch, in a process of its own: `python xwindow.py TITLE X Y W H`.

Draws four coloured quarters. Commands on stdin, one a line: `move X Y`, `resize W H`, `iconify`, `map`,
`cover X Y W H` (a second, magenta window), `uncover`, `close`. Each is answered with `ok`.
"""

import os
import select
import sys

from Xlib import X, Xutil, display

QUARTERS = (0xC02020, 0x20C020, 0x2020C0, 0xC0C020)
COVER = 0xFF00FF


def main() -> None:
    title, (x, y, w, h) = sys.argv[1], map(int, sys.argv[2:6])
    screen_display = display.Display()
    screen = screen_display.screen()

    def window(name: str, box: tuple[int, int, int, int], colour: int):
        made = screen.root.create_window(
            *box,
            0,
            screen.root_depth,
            X.InputOutput,
            X.CopyFromParent,
            background_pixel=colour,
            event_mask=X.ExposureMask | X.StructureNotifyMask,
        )
        made.set_wm_name(name)
        pid = screen_display.intern_atom("_NET_WM_PID")
        made.change_property(pid, screen_display.intern_atom("CARDINAL"), 32, [os.getpid()])
        made.set_wm_normal_hints(flags=Xutil.USPosition | Xutil.PPosition, x=box[0], y=box[1])
        made.map()
        return made

    def pixel(colour: int) -> int:
        """Returns a colour as the screen's own pixels have it."""
        parts = [(colour >> shift & 255) * 257 for shift in (16, 8, 0)]
        return int(screen.default_colormap.alloc_color(*parts).pixel)

    main_window = window(title, (x, y, w, h), 0)
    gc = main_window.create_gc()
    quarters = [pixel(colour) for colour in QUARTERS]
    cover = None

    def draw() -> None:
        size = main_window.get_geometry()
        half_w, half_h = size.width // 2, size.height // 2
        for i, colour in enumerate(quarters):
            gc.change(foreground=colour)
            left, top = (i % 2) * half_w, (i // 2) * half_h
            main_window.fill_rectangle(gc, left, top, half_w + 1, half_h + 1)
        screen_display.flush()

    print(main_window.id, flush=True)
    while True:
        ready, _, _ = select.select([screen_display.fileno(), sys.stdin], [], [], 0.05)
        while screen_display.pending_events():
            screen_display.next_event()
        if main_window.get_attributes().map_state == X.IsViewable:
            draw()
        if sys.stdin not in ready:
            continue
        words = sys.stdin.readline().split()
        if not words or words[0] == "close":
            return
        command, numbers = words[0], [int(v) for v in words[1:]]
        if command == "move":
            main_window.configure(x=numbers[0], y=numbers[1])
        elif command == "resize":
            main_window.configure(width=numbers[0], height=numbers[1])
        elif command == "iconify":
            main_window.set_wm_state(state=Xutil.IconicState, icon=0)
            event = display.event.ClientMessage(
                window=main_window,
                client_type=screen_display.intern_atom("WM_CHANGE_STATE"),
                data=(32, [Xutil.IconicState, 0, 0, 0, 0]),
            )
            screen.root.send_event(event, event_mask=X.SubstructureRedirectMask | X.SubstructureNotifyMask)
        elif command == "map":
            main_window.map()
        elif command == "cover":
            cover = window("cover", tuple(numbers), COVER)
        elif command == "uncover":
            cover.destroy()
        screen_display.flush()
        print("ok", flush=True)


if __name__ == "__main__":
    main()
