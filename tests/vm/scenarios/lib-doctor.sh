# For scenarios about what doctor finds.

# found [WORDS...]: "severity id subject" of each finding that is no information, sorted as doctor sorts them
found() {
	rdmastate doctor -o json "$@" >/run/rig/doctor.json || [ $? = 2 ] || fail "doctor ended with $?"
	python3 - <<'PY'
import json
for one in json.load(open("/run/rig/doctor.json"))["findings"]:
    if one["severity"] != "info":
        print(one["severity"], one["id"], one["subject"]["name"])
PY
}

# anybody COMMAND...: runs it as a user without rights
anybody() { setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all "$@"; }
