"""The golden cases: what is planned and written for a spec on a host. README.md says what a case's file holds."""
from golden import shown
from golden.boot_rules import check_boot_file
from golden.case_file import named, names
from golden.ledger_rules import check_ledger, check_run
from golden.plan_rules import check_plan, check_totals
from golden.seen import Seen
from support import golden, txtar


def written(case, seen):
    """The case's file, as it would be accepted."""
    return case.by_hand + txtar.dump(shown.texts(case, seen, shown.usual_bodies(golden.accepting())))


def check_left_out(case, seen, box):
    """What the file leaves out is what follows from it."""
    check_plan(seen)
    check_totals(seen)
    check_run(seen)
    check_ledger(seen)
    check_boot_file(seen, box, shown.shows_boot_file(case))


def check(case, box):
    seen = Seen(case, box)
    golden.compare(case.path, written(case, seen))
    check_left_out(case, seen, box)


def cases():
    return {name: (lambda box, name=name: check(named(name), box)) for name in names()}
