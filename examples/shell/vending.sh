#!/bin/sh
# Vending firmware that sells through fiskd, with curl, jq and coreutils.
#
# Each line on standard input is a press of the button: `sell SALE TOTAL METHOD [ITEM]`. See ../README.md for the rest.
set -eu

: "${FISKD_URL:?}" "${FISKD_CA:?}" "${FISKD_KEY:?}" "${FISKD_DEVICE:?}" "${FISKD_STATE:?}"

timeout=15 # fiskd may take 9 s
longest_wait=30
key_lifetime=$((23 * 3600)) # fiskd remembers a key for 24 h

# What must survive a power cut, a folder with a file each: the same key and the same bytes are the same sale.
open=$FISKD_STATE/open-sale

# A new Idempotency-Key, the API key that it belongs to, and the moment of both: one file, there whole or not at all.
new_key() {
  { cat /proc/sys/kernel/random/uuid && printf '%s\n' "$FISKD_KEY" && date +%s; } > "$1/keys.new"
  sync "$1/keys.new"
  mv "$1/keys.new" "$1/keys"
  sync "$1"
}

idempotency_key() { sed -n 1p "$open/keys"; }
api_key() { sed -n 2p "$open/keys"; }
created() { sed -n 3p "$open/keys"; }

# Returns when the sale is on the disk: the folder is there whole, or not at all.
# store NAME BODY
store() {
  rm -rf "$open.new"
  mkdir "$open.new"
  printf '%s' "$1" > "$open.new/name"
  printf '%s' "$2" > "$open.new/body"
  new_key "$open.new"
  sync "$open.new"/* "$open.new"
  mv "$open.new" "$open"
  sync "$FISKD_STATE"
}

forget() {
  rm -rf "$open.old"
  mv "$open" "$open.old"
  sync "$FISKD_STATE"
  rm -rf "$open.old"
}

# No goods and no money: somebody has to look whether fiskd has the sale.
leave_to_person() {
  log "a person has to look what became of $(cat "$open/body")"
  mv "$open" "$FISKD_STATE/left-$(idempotency_key)"
  sync "$FISKD_STATE"
}

# Sends one request. An answer that was cut off is none. The key of fiskd goes through a pipe: an argument could be read by every user of this machine.
# request API-KEY ARGUMENTS... ADDRESS: sets $status, 000 for no answer
request() {
  authorization=$1
  shift
  status=$(printf 'header = "Authorization: Bearer %s"\n' "$authorization" |
    curl --config - --silent --show-error --max-time "$timeout" --noproxy '*' \
      --cacert "$FISKD_CA" --capath /nonexistent --write-out '%{http_code}' "$@") || status=000
}

# Sends the stored sale once.
post() {
  : > "$open/headers"
  request "$(api_key)" --header "Idempotency-Key: $(idempotency_key)" --header 'Content-Type: application/json' \
    --data-binary @"$open/body" --dump-header "$open/headers" --output "$open/answer" "$FISKD_URL/v1/invoices"
  # A 200 that is not a whole object is no answer.
  [ "$status" != 200 ] || jq -e 'type == "object"' "$open/answer" > /dev/null 2>&1 || status=000
}

# Waits for what fiskd asks for, else a second, doubling.
pause() {
  wait=$(sed -n 's/^[Rr]etry-[Aa]fter: *\([0-9][0-9]*\).*/\1/p' "$open/headers")
  if [ -z "$wait" ]; then
    wait=$backoff
    backoff=$((backoff * 2 > longest_wait ? longest_wait : backoff * 2))
  fi
  log "answer $status: again in $wait s"
  sleep "$wait"
}

# Sends the stored sale until fiskd has decided; then the goods, or the money back.
# settle MAY-BE-STORED: yes or no
settle() {
  may_be_stored=$1
  name=$(cat "$open/name")
  backoff=1
  while true; do
    if [ $(($(date +%s) - $(created))) -gt "$key_lifetime" ]; then
      # Sent again under a key that is forgotten, it could become a second sale.
      look_for send_anew
      return
    fi
    post
    case $status in
      200)
        hand_out
        return
        ;;
      409)
        if [ "$(jq -r .error.code "$open/answer")" = idempotency_key_reused ]; then look_for refuse; else refuse; fi
        return
        ;;
      400 | 401 | 403 | 404 | 413)
        # 401 and 403 say nothing about the attempts before.
        if [ "$may_be_stored" = no ] || { [ "$status" != 401 ] && [ "$status" != 403 ]; }; then
          # The request or the set-up is wrong: sent again as it is, it would be refused again.
          log "$(cat "$open/answer")"
          refuse
          return
        fi
        ;;
      429) ;;
      *) may_be_stored=yes ;; # the same bytes with the same key are safe
    esac
    pause
  done
}

# Searches for the sale by its moment and its total.
# look_for WHAT: what is done where it is not there
look_for() {
  moment=$(jq -r .occurred_at "$open/body")
  second=$(date -ud "$moment" +%s)
  while true; do
    : > "$open/headers"
    request "$FISKD_KEY" --get --data-urlencode "device_id=$FISKD_DEVICE" \
      --data-urlencode "from=$(date -ud "@$second" +%Y-%m-%dT%H:%M:%SZ)" \
      --data-urlencode "to=$(date -ud "@$((second + 1))" +%Y-%m-%dT%H:%M:%SZ)" \
      --dump-header "$open/headers" --output "$open/list" "$FISKD_URL/v1/invoices"
    case $status in
      200) break ;;
      400 | 401 | 403 | 404 | 409 | 413)
        leave_to_person
        return
        ;;
      *) pause ;;
    esac
  done
  jq --arg moment "$moment" --arg total "$(jq -r .total "$open/body")" \
    '[.data[] | select(.occurred_at == $moment and .total == $total)]' "$open/list" > "$open/found"
  case $(jq length "$open/found") in
    0) "$1" ;;
    1)
      jq '.[0]' "$open/found" > "$open/answer"
      hand_out
      ;;
    *) leave_to_person ;;
  esac
}

# fiskd does not have it: it becomes a sale now, under a new key.
send_anew() {
  new_key "$open"
  settle no
}

# A 200 is a valid sale, whether there is a JIR yet or not.
hand_out() {
  log "sold as number $(jq -r '"\(.number), \(.status), JIR \(.jir)"' "$open/answer")"
  echo "screen $name $(jq -r .qr_payload "$open/answer")"
  id=$(jq -r .id "$open/answer")
  # Stored before the motor turns: a power cut in between never gives the goods out twice.
  # A machine with a sensor that sees the goods fall forgets the sale after it has seen them.
  forget
  echo "goods $name"
  [ -z "${FISKD_RECEIPT:-}" ] || show "$id"
}

refuse() {
  forget
  echo "refused $name"
}

# The receipt as a picture in a file, for a machine with a display; the goods did not wait for it.
show() {
  request "$FISKD_KEY" --header "Idempotency-Key: receipt-$1" --header 'Accept: image/png' \
    --output "$FISKD_RECEIPT.new" "$FISKD_URL/v1/invoices/$1/receipt"
  if [ "$status" = 200 ]; then mv "$FISKD_RECEIPT.new" "$FISKD_RECEIPT"; else log 'no picture of the receipt'; fi
}

# The button is pressed and paid for. Money stays text.
# press NAME TOTAL METHOD ITEM
press() {
  store "$1" "$(jq -nc --arg device "$FISKD_DEVICE" --arg now "$(date -u +%Y-%m-%dT%H:%M:%S.%3NZ)" \
    --arg total "$2" --arg method "$3" --arg item "$4" '
      {device_id: $device, occurred_at: $now, total: $total, payment_method: $method}
      + if $item == "" then {} else {items: [{name: $item, quantity: "1", unit_price: $total, amount: $total}]} end')"
  settle no
}

log() { echo "$*" >&2; }

[ ! -d "$open" ] || settle yes
while read -r verb sale total method item; do
  if [ "$verb" = sell ] && [ -n "$method" ]; then press "$sale" "$total" "$method" "$item"; else log "not understood: $verb"; fi
done
