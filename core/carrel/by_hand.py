# SPDX-License-Identifier: AGPL-3.0-or-later
"""How bytes are taken out of a WARC file without Carrel: lines for a terminal, with words in
capitals to be filled in. Certificates and the README.txt of an archive give the same ones."""

CUT_RECORD = ("tail -c +$((OFFSET + 1)) FILE | head -c LENGTH | gzip -dc > record",)
OF_RESPONSE = (r"sed '1,/^\r$/d' record | sed '1,/^\r$/d' | head -c SIZE > payload",)
OF_RESOURCE = (r"sed '1,/^\r$/d' record | head -c SIZE > payload",)
DIGEST = ("sha256sum payload",)
DECODED = ("gzip -dc < payload | sha256sum",)
OF_ZIP = ("unzip -q payload -d members", "sha256sum 'members/MEMBER'")
OF_TAR = ("mkdir members", "tar -xf payload -C members", "sha256sum 'members/MEMBER'")
