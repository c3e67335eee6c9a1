#!/usr/bin/env bash
# SPDX-License-Identifier: 0BSD
#USAGE flag "-f --force" help="Even so"
#USAGE arg "<file>" help="What to do it to"
rm -rf "$usage_file"
