# what: what Rdma and Links promise of virtual functions, on the kernel as on the recorded host
# mode: snapshot
# releases: trixie
# functions: virtual
# timeout: 120
# seconds: 40

SUITE=/usr/lib/rdmastate-tests/contract_live
[ -x $SUITE ] || fail "there is no $SUITE: build the tests and put it into RDMASTATE_INSTALL"
adapters
ipoib
RC=0
OUT=$($SUITE --gtest_brief=1 --gtest_filter='Live/SriovContract*' 2>&1) || RC=$?
[ "$RC" = 0 ] || fail "$OUT"
contains "the suite" "PASSED" "$OUT"
lacks "the suite" "SKIPPED" "$OUT"
echo "$OUT" | tail -n 3
