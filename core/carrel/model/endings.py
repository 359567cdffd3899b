# SPDX-License-Identifier: AGPL-3.0-or-later
"""What files of some kinds are called, in lower case."""

WARC_ENDINGS = (".warc", ".warc.gz", ".arc", ".arc.gz")
# A WACZ has WARCs in it, and their index.
RECORD_ENDINGS = (*WARC_ENDINGS, ".wacz")

# What a system may run when it is asked to open it.
PROGRAM_ENDINGS = (
    *(".app", ".appimage", ".appref-ms", ".bash", ".bat", ".chm", ".cmd", ".com", ".command"),
    *(".cpl", ".csh", ".deb", ".desktop", ".dmg", ".exe", ".fish", ".gadget", ".hta", ".inf"),
    *(".ins", ".iso", ".jar", ".jnlp", ".js", ".jse", ".ksh", ".lnk", ".msc", ".msi", ".msix"),
    *(".msp", ".mst", ".pif", ".pkg", ".pl", ".ps1", ".psm1", ".py", ".pyw", ".pyz", ".rb"),
    *(".reg", ".rpm", ".run", ".scf", ".scpt", ".scr", ".sct", ".settingcontent-ms", ".sh"),
    *(".shb", ".terminal", ".tool", ".url", ".vb", ".vbe", ".vbs", ".vhd", ".vhdx", ".webloc"),
    *(".workflow", ".ws", ".wsc", ".wsf", ".wsh", ".xll", ".zsh"),
)
