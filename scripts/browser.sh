#!/usr/bin/env bash
# A browser and faces for Han and Kana, from Debian's archive, for the tests of the page; nothing where they are there.
set -euo pipefail
if command -v chromium >/dev/null && fc-list 2>/dev/null | grep -q "Noto Sans CJK"; then exit 0; fi
if [ "$(id -u)" != 0 ]; then echo "the tests of the page need chromium and fonts-noto-cjk: install them, or run as root" >&2; exit 1; fi
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
apt-get install -y -qq --no-install-recommends chromium fonts-noto-cjk fontconfig >/dev/null
