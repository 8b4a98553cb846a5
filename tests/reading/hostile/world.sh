#!/bin/sh
# Runs a command where no packet can leave the machine: unshare -n -m sh world.sh COMMAND …
# The addresses of the site are local here; the interface leads nowhere; names are asked of the site itself.
set -e
ip link set lo up
ip link add out0 type veth peer name out1
ip addr add 10.99.0.2/24 dev out0
ip link set out0 up
ip link set out1 up
ip route add default via 10.99.0.1 dev out0
ip neigh add 10.99.0.1 lladdr 02:00:00:00:00:01 dev out0
ip route add local 203.0.113.0/24 dev lo
ip route add local 198.51.100.0/24 dev lo
names=$(mktemp)
printf 'nameserver 127.0.0.1\noptions timeout:1 attempts:1\n' > "$names"
mount --bind "$names" /etc/resolv.conf
exec "$@"
