"""What is plugged into this machine.

Theory of operation. Nothing here opens a device: sysfs and the links under /dev tell what is there
(`attached`), /proc tells which processes have a node open (`holders`), and where other users'
processes are hidden inotify counts their opens (`inotify_opens`). A configured name becomes one
node (`port_choice`) or is refused with every device that it could mean: a name that fits two
devices would one day read the wrong one. What a link's USB side calls itself (`identity`) is
compared by enrolment. A uevent (`hotplug`) wakes whoever waits for a device; `access` says why a
node cannot be opened.

Everything but `hotplug` reads files, some of them slowly: call it in a thread, not in the loop. A
device may go away between two files: what is not there any more is None, never an exception.
"""
