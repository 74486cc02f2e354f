"""Measures anew what would fail: what else a shared machine does only ever makes a figure worse."""
ATTEMPTS = 3


def lowest(measure, ratio, most, what, first=None, say=print):
    """The measurement with the lowest ratio: the first one (`first`, where it is made already), or where that is above
    `most` the best of at most ATTEMPTS, each of which is printed."""
    best = first or measure()
    for attempt in range(2, ATTEMPTS + 1):
        if ratio(best) <= most:
            break
        again = measure()
        say(f"{what}: {ratio(best):.2f} would fail, so it is measured anew ({attempt} of {ATTEMPTS}): {ratio(again):.2f};"
            " the lowest counts")
        best = min(best, again, key=ratio)
    return best
