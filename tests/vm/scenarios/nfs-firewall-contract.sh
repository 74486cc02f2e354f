# what: what the recorded host says of firewalld, asked of the real one
# mode: snapshot
# with: packages firewall
# timeout: 600
# seconds: 155

installed
firewalld_runs

step "what firewalld's implementation promises, and the recorded host too"
/usr/lib/rdmastate-tests/contract_live --gtest_brief=1 --gtest_filter='Live/FirewallContract*' >/run/rig/contract 2>&1 || fail "$(cat /run/rig/contract)"
contains "the contract" PASSED "$(cat /run/rig/contract)"
lacks "the contract" SKIPPED "$(cat /run/rig/contract)"
