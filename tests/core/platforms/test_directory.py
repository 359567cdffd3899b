# SPDX-License-Identifier: AGPL-3.0-or-later
"""Directory listings of servers and stores: read to the last folder, or what is lacking is said."""

import asyncio
import json
import random
from collections.abc import Mapping
from typing import Any

import pytest

from carrel.errors import ApiStop, IngestStop
from carrel.model import Landing, PlatformItem, Status
from carrel.platforms.platform import Answer
from carrel.platforms.registry import candidates, describe
from support.answers import Answers, landing, lost_landing

TOP = "https://files.example/pub/ice/"
MD5, OTHER = "0123456789abcdef0123456789abcdef", "f" * 32
SHA256 = "ab" * 32

APACHE = """<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 3.2 Final//EN">
<html><head><title>Index of /pub/ice</title></head><body><h1>Index of /pub/ice</h1>
<pre>
<img src="/icons/blank.gif" alt="Icon "> <a href="?C=N;O=D">Name</a>  <a href="?C=S;O=A">Size</a>
<hr><img src="/icons/back.gif" alt="[DIR]"> <a href="/pub/">Parent Directory</a>                -
<img src="/icons/folder.gif" alt="[DIR]"> <a href="2020/">2020/</a>      2021-03-04 10:00    -
<img src="/icons/unknown.gif" alt="[   ]"> <a href="large.nc">large.nc</a>   2021-03-04 10:00  1.2M
<img src="/icons/text.gif" alt="[TXT]">
<a href="my%20notes.txt">my notes.txt</a> 2021-03-04 10:00  973
<hr></pre><address>Apache/2.4.6 Server at files.example Port 443</address></body></html>"""
APACHE_TABLE = """<html><head><title>Index of /pub/ice</title></head><body>
<h1>Index of /pub/ice</h1>
<table><tr><th><a href="?C=N;O=D">Name</a></th><th><a href="?C=M;O=A">Last modified</a></th></tr>
<tr><td><img src="/i.gif"></td><td><a href="/pub/">Parent Directory</a></td><td>&nbsp;</td>
<td>  - </td></tr>
<tr><td><img src="/i.gif"></td><td><a href="2020/">2020/</a></td><td>2021-03-04 10:00 </td>
<td>  - </td></tr>
<tr><td></td><td><a href="large.nc">large.nc</a></td><td>2021-03-04 10:00 </td><td>1.2M</td>
<td>7</td></tr>
<tr><td></td><td><a href="my%20notes.txt">my notes.txt</a></td><td>2021-03-04 10:00</td>
<td>973 </td></tr>
</table></body></html>"""
NGINX = """<html><head><title>Index of /pub/ice/</title></head><body><h1>Index of /pub/ice/</h1><hr>
<pre><a href="../">../</a>
<a href="2020/">2020/</a>                    04-Mar-2021 10:00                   -
<a href="large.nc">large.nc</a>              04-Mar-2021 10:00            1.2M
<a href="my%20notes.txt">my notes.txt</a>    04-Mar-2021 10:00                 973
</pre><hr></body></html>"""
LIGHTTPD = """<!DOCTYPE html><html><head><title>Index of /pub/ice/</title></head><body>
<h2>Index of /pub/ice/</h2><div class="list"><table><thead><tr><th>Name</th><th>Size</th></tr>
</thead>
<tbody><tr class="d"><td class="n"><a href="../">..</a>/</td><td class="m">&nbsp;</td>
<td>- &nbsp;</td></tr>
<tr><td class="n"><a href="2020/">2020</a>/</td><td class="m">2021-Mar-04 10:00:00</td>
<td>- &nbsp;</td></tr>
<tr><td class="n"><a href="large.nc">large.nc</a></td><td class="m">2021-Mar-04 10:00:00</td>
<td class="s">1.2M</td><td class="t">application/octet-stream</td></tr>
<tr><td class="n"><a href="my%20notes.txt">my notes.txt</a></td>
<td class="m">2021-Mar-04 10:00:00</td>
<td class="s">973</td><td class="t">text/plain</td></tr></tbody></table></div></body></html>"""
IIS = """<html><head><title>files.example - /pub/ice/</title></head><body>
<H1>files.example - /pub/ice/</H1>
<hr><pre><A HREF="/pub/">[To Parent Directory]</A><br><br>
 3/4/2021 10:00 AM        &lt;dir&gt; <A HREF="/pub/ice/2020/">2020</A><br>
 3/4/2021 10:00 AM         1.2M <A HREF="/pub/ice/large.nc">large.nc</A><br>
 3/4/2021 10:00 AM          973 <A HREF="/pub/ice/my%20notes.txt">my notes.txt</A><br></pre>
</body></html>"""
PLAIN = """<!DOCTYPE html><html><head><title>Index of /pub/ice</title></head><body>
<h1>Index of /pub/ice</h1>
<ul><li><a href="/pub/"> Parent Directory</a></li><li><a href="2020/"> 2020/</a></li>
<li><a href="large.nc"> large.nc</a></li><li><a href="my%20notes.txt"> my notes.txt</a></li></ul>
</body></html>"""
PYTHON = """<!DOCTYPE HTML><html><head><title>Directory listing for /pub/ice/</title></head><body>
<h1>Directory listing for /pub/ice/</h1><hr><ul><li><a href="2020/">2020/</a></li>
<li><a href="large.nc">large.nc</a></li><li><a href="my%20notes.txt">my notes.txt</a></li></ul>
</body></html>"""
SVN = """<html><head><title>data - Revision 5: /pub/ice</title></head><body>
<h2>data - Revision 5: /pub/ice</h2>
<ul><li><a href="../">..</a></li><li><a href="2020/">2020/</a></li><li>
<a href="large.nc">large.nc</a></li>
<li><a href="my%20notes.txt">my notes.txt</a></li></ul><em>Powered by Apache Subversion</em>
</body></html>"""
NGINX_JSON = json.dumps(
    [
        {"name": "2020", "type": "directory", "mtime": "Thu, 04 Mar 2021 10:00:00 GMT"},
        {
            "name": "large.nc",
            "type": "file",
            "mtime": "Thu, 04 Mar 2021 10:00:00 GMT",
            "size": 1234567,
        },
        {
            "name": "my notes.txt",
            "type": "file",
            "mtime": "Thu, 04 Mar 2021 10:00:00 GMT",
            "size": 973,
        },
    ]
)
NGINX_XML = """<?xml version="1.0"?><list><directory mtime="2021-03-04T10:00:00Z">2020</directory>
<file mtime="2021-03-04T10:00:00Z" size="1234567">large.nc</file>
<file mtime="2021-03-04T10:00:00Z" size="973">my notes.txt</file></list>"""
INNER = """<html><head><title>Index of /pub/ice/2020/</title></head><body>
<h1>Index of /pub/ice/2020/</h1>
<pre><a href="../">../</a>
<a href="a.csv">a.csv</a>    04-Mar-2021 10:00    5
</pre></body></html>"""
LARGE = {
    "large.nc": None,
    "my notes.txt": 973,
    "2020/a.csv": 5,
}
PAGES = {
    "apache": (APACHE, 973, "1.2M"),
    "apache-table": (APACHE_TABLE, 973, "1.2M"),
    "nginx": (NGINX, 973, "1.2M"),
    "lighttpd": (LIGHTTPD, 973, "1.2M"),
    "iis": (IIS, 973, "1.2M"),
    "plain": (PLAIN, None, None),
    "python": (PYTHON, None, None),
    "webdav": (SVN, None, None),
}
BUCKET = "https://ice.s3.amazonaws.com/"
CATALOG = "https://t.example/thredds/catalog/ice/catalog.xml"


def told(
    of: Landing, table: Mapping[str, Any] | None = None, *, most_files: int = 1000
) -> PlatformItem:
    item, _ = asyncio.run(describe(of, Answers(table or {}, most_files=most_files)))
    return item


def answering(url: str, body: str, kind: str) -> Landing:
    return Landing(url, (url,), 200, {"content-type": kind}, body.encode())


def sizes(item: PlatformItem) -> dict[str, int | None]:
    return {entry.path: entry.declared.size for entry in item.manifest}


def codes(item: PlatformItem) -> list[str]:
    return [finding.code for finding in item.findings]


@pytest.mark.parametrize("server", PAGES)
def test_a_listing_is_read_with_the_folders_below_it(server: str) -> None:
    html, exact, announced = PAGES[server]

    item = told(landing(TOP, html=html), {f"{TOP}2020/": INNER})

    assert (item.platform_name, item.platform_domain) == ("listing", "files.example")
    assert item.platform_id == TOP
    assert sizes(item) == {"large.nc": None, "my notes.txt": exact, "2020/a.csv": 5}
    assert item.manifest[0].extra.get("content_size") == announced
    assert item.manifest[1].platform_url == f"{TOP}my%20notes.txt"
    assert "listing-completeness" in codes(item)
    assert item.shortfall is None


@pytest.mark.parametrize(
    ("body", "kind"), [(NGINX_JSON, "application/json"), (NGINX_XML, "text/xml")]
)
def test_nginx_tells_exact_sizes_in_json_and_xml(body: str, kind: str) -> None:
    item = told(answering(TOP, body, kind), {f"{TOP}2020/": "[]"})

    assert sizes(item) == {"large.nc": 1234567, "my notes.txt": 973}
    assert item.manifest[1].platform_url == f"{TOP}my%20notes.txt"


def test_how_the_rows_are_sorted_makes_no_other_dataset() -> None:
    item = told(landing(f"{TOP}?C=M;O=D", html=APACHE), {f"{TOP}2020/": INNER})

    assert item.platform_id == TOP


@pytest.mark.parametrize(
    ("url", "html"),
    [
        # An article about listings, and pages that only look like one.
        ("https://blog.example/posts/", "<title>Index of /var/www</title><a href='a/'>a</a>"),
        ("https://blog.example/", "<title>Index of /</title><ul><a href='/2020/x'>x</a></ul>"),
        ("https://blog.example/pub/ice/", "<title>Ice</title><pre><a href='../'>../</a></pre>"),
        ("https://a.example/x", "<title>Index of /x</title><pre><a href='../'>../</a></pre>"),
        ("https://shop.example/d/", "<title>Shop - /news</title><a href='a.html'>News</a>"),
    ],
)  # fmt: skip
def test_nothing_else_is_taken_for_a_listing(url: str, html: str) -> None:
    assert [platform.name for platform, _ in candidates(landing(url, html=html))] == []


@pytest.mark.parametrize("body", ["[]", "[1]", '[{"name": "a"}]', '{"name": "a"}', "[[[["])
def test_other_json_is_no_listing(body: str) -> None:
    found = candidates(answering(TOP, body, "application/json"))

    assert "listing" not in [platform.name for platform, _ in found]


def test_links_out_of_the_folder_are_told_and_not_taken() -> None:
    html = NGINX.replace(
        "</pre>",
        '<a href="https://elsewhere.example/b.zip">b</a>\n<a href="../other/c">c</a>\n'
        '<a href="%2e%2e/d">d</a>\n<a href="x/../../e">e</a></pre>',
    )

    item = told(landing(TOP, html=html), {f"{TOP}2020/": INNER})

    assert list(sizes(item)) == ["large.nc", "my notes.txt", "2020/a.csv"]
    (finding,) = (one for one in item.findings if one.code == "listing-elsewhere")
    assert finding.message.startswith("4 rows lead out of the folder")


@pytest.mark.parametrize(
    "answer", [403, 404, "<title>Welcome</title>", Answer("https://x/", INNER)]
)
def test_a_folder_that_shows_no_listing_makes_the_whole_incomplete(answer: Any) -> None:
    item = told(landing(TOP, html=NGINX), {f"{TOP}2020/": answer})

    assert list(sizes(item)) == ["large.nc", "my notes.txt"]
    assert item.shortfall is not None
    assert "2020/" in item.shortfall


@pytest.mark.parametrize("answer", [429, 500, 502])
def test_a_folder_that_gives_no_answer_ends_it(answer: int) -> None:
    with pytest.raises(ApiStop) as stop:
        told(landing(TOP, html=NGINX), {f"{TOP}2020/": answer})

    assert "The listing was not read to its end: 2 entries had been read." in str(stop.value)


def test_a_link_that_leads_back_is_no_endless_tree() -> None:
    def page(path: str) -> str:
        return NGINX.replace("/pub/ice/", path)

    table = {f"{TOP}2020/": page("/pub/ice/2020/"), f"{TOP}2020/2020/": page("/pub/ice/2020/2020/")}

    item = told(landing(TOP, html=NGINX), table)

    assert list(sizes(item)) == ["large.nc", "my notes.txt"]
    assert "listing-circle" in codes(item)


def test_too_many_files_are_refused_and_not_cut() -> None:
    with pytest.raises(IngestStop) as stop:
        told(landing(TOP, html=NGINX), {f"{TOP}2020/": INNER}, most_files=1)

    assert stop.value.status is Status.TOO_MANY_FILES


def test_too_many_folders_are_refused() -> None:
    rows = "".join(f'<a href="{number}/">{number}/</a>\n' for number in range(1200))
    html = NGINX.replace("</pre>", f"{rows}</pre>")

    with pytest.raises(IngestStop) as stop:
        told(landing(TOP, html=html))

    assert stop.value.status is Status.TOO_MANY_FILES
    assert "more than 1,000 folders" in str(stop.value)


def test_an_empty_folder_is_told_to_be_empty() -> None:
    html = "<title>Index of /pub/ice/</title><pre><a href='../'>../</a></pre>"

    item = told(landing(TOP, html=html))

    assert item.platform_status is Status.EMPTY_MANIFEST
    assert item.platform_message == f"{TOP} lists no files."


def listing_of(*names: str) -> str:
    rows = "".join(f'<a href="{name}">{name}</a>  04-Mar-2021 10:00  5\n' for name in names)
    return f"<title>Index of /pub/ice/</title><pre><a href='../'>../</a>\n{rows}</pre>"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("SHA256SUMS", f"{SHA256}  a.csv\n# x\n"),
        ("sha256sums.txt", f"{SHA256.upper()} *./a.csv\n"),
        ("checksums.sha256", f"SHA256 (a.csv) = {SHA256}\n"),
        ("manifest-sha256.txt", f"{SHA256}  a.csv"),
        ("a.csv.sha256", f"{SHA256}\n"),
    ],
)
def test_files_of_checksums_declare_the_others(name: str, text: str) -> None:
    item = told(landing(TOP, html=listing_of("a.csv", name)), {f"{TOP}{name}": text})

    assert item.manifest[0].declared.digests == {"sha256": SHA256}
    assert [entry.path for entry in item.manifest] == ["a.csv", name]
    assert "checksum-files" in codes(item)


def test_what_files_of_checksums_name_beyond_the_listing_is_told() -> None:
    text = f"{MD5}  a.csv\n{OTHER}  gone.csv\n"

    item = told(landing(TOP, html=listing_of("a.csv", "md5sum.txt")), {f"{TOP}md5sum.txt": text})

    (finding,) = (one for one in item.findings if one.code == "checksums-of-unlisted")
    assert "gone.csv" in finding.message


def test_files_of_checksums_that_contradict_each_other_are_told() -> None:
    html = listing_of("a.csv", "MD5SUMS", "md5sum.txt")
    table = {f"{TOP}MD5SUMS": f"{MD5}  a.csv", f"{TOP}md5sum.txt": f"{OTHER}  a.csv"}

    item = told(landing(TOP, html=html), table)

    assert item.manifest[0].declared.digests == {"md5": MD5}
    assert "contradiction" in codes(item)


def test_a_file_of_checksums_that_cannot_be_had_is_told() -> None:
    item = told(landing(TOP, html=listing_of("a.csv", "SHA256SUMS")), {f"{TOP}SHA256SUMS": 404})

    assert item.manifest[0].declared.digests == {}
    assert "checksum-files-unread" in codes(item)


def contents(*rows: tuple[str, int, str]) -> str:
    return "".join(
        f"<Contents><Key>{key}</Key><LastModified>2021-03-04T10:00:00.000Z</LastModified>"
        f"<ETag>&quot;{etag}&quot;</ETag><Size>{size}</Size>"
        "<StorageClass>STANDARD</StorageClass></Contents>"
        for key, size, etag in rows
    )


def bucket(inner: str, *, truncated: bool = False) -> str:
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>ice</Name>'
        f"<IsTruncated>{str(truncated).lower()}</IsTruncated>{inner}</ListBucketResult>"
    )


def test_a_bucket_is_read_to_its_end_by_tokens() -> None:
    first = bucket(
        "<KeyCount>2</KeyCount><NextContinuationToken>t/1=</NextContinuationToken>"
        + contents(("d/", 0, MD5), ("d/a b.csv", 5, MD5)),
        truncated=True,
    )
    second = bucket(contents(("large.nc", 10**10, f"{OTHER}-3")))
    table = {f"{BUCKET}?list-type=2&continuation-token=t%2F1%3D": second}

    item = told(answering(f"{BUCKET}?list-type=2", first, "application/xml"), table)

    assert (item.platform_name, item.platform_id, item.title) == ("listing", BUCKET, "ice")
    assert sizes(item) == {"d/a b.csv": 5, "large.nc": 10**10}
    assert item.manifest[0].declared.digests == {"md5": MD5}
    assert item.manifest[0].platform_url == f"{BUCKET}d/a%20b.csv"
    assert (item.manifest[1].declared.digests, item.manifest[1].extra) == (
        {},
        {"etag": f"{OTHER}-3"},
    )


@pytest.mark.parametrize("marker", ["", "<NextMarker>a.csv</NextMarker>"])
@pytest.mark.parametrize(
    "home", ["https://storage.googleapis.com/ice", "https://m.example:9000/ice/"]
)
def test_the_first_version_goes_on_behind_a_marker(home: str, marker: str) -> None:
    first = bucket(marker + contents(("a.csv", 5, MD5)), truncated=True)
    table = {f"{home}?marker=a.csv": bucket(contents(("b.csv", 6, MD5)))}

    item = told(answering(home, first, "application/xml"), table)

    assert sizes(item) == {"a.csv": 5, "b.csv": 6}
    assert item.manifest[1].platform_url == f"{home.rstrip('/')}/b.csv"


def test_a_listing_with_folders_folded_or_begun_in_the_middle_is_asked_for_anew() -> None:
    asked = f"{BUCKET}?prefix=d/&delimiter=/&marker=d/b"
    folded = bucket(
        "<Prefix>d/</Prefix><Delimiter>/</Delimiter>"
        "<CommonPrefixes><Prefix>d/x/</Prefix></CommonPrefixes>"
    )
    table = {f"{BUCKET}?prefix=d%2F": bucket(contents(("d/a", 1, MD5), ("d/x/b", 2, MD5)))}

    item = told(answering(asked, folded, "application/xml"), table)

    assert sizes(item) == {"a": 1, "x/b": 2}
    assert item.platform_id == f"{BUCKET}?prefix=d%2F"


def test_a_bucket_that_breaks_off_is_not_called_whole() -> None:
    first = bucket(contents(("a.csv", 5, MD5)), truncated=True)

    with pytest.raises(ApiStop) as stop:
        told(answering(BUCKET, first, "application/xml"), {f"{BUCKET}?marker=a.csv": 503})

    assert "was not read to its end" in str(stop.value)


def test_a_bucket_that_goes_on_nowhere_is_an_error() -> None:
    with pytest.raises(ApiStop) as stop:
        told(answering(BUCKET, bucket("", truncated=True), "application/xml"))

    assert stop.value.status is Status.PLATFORM_ERROR


@pytest.mark.parametrize("of", [(BUCKET, "<ListBucketResult><Contents>"), (CATALOG, "cut")])
def test_a_damaged_listing_is_no_file(of: tuple[str, str]) -> None:
    url, body = of
    text = THREDDS[:900] if body == "cut" else body

    with pytest.raises(ApiStop) as stop:
        told(answering(url, text, "application/xml"))

    assert stop.value.status is Status.PLATFORM_ERROR
    assert "is damaged" in str(stop.value)


def test_what_is_in_deep_storage_stays_in_the_manifest() -> None:
    cold = contents(("a.csv", 5, MD5)).replace("STANDARD", "GLACIER")

    item = told(answering(BUCKET, bucket(cold + contents(("b", 1, MD5))), "text/xml"))

    assert [entry.status for entry in item.manifest] == [Status.PLATFORM_RESTRICTED, None]


THREDDS = """<?xml version="1.0" encoding="UTF-8"?>
<catalog xmlns="http://www.unidata.ucar.edu/namespaces/thredds/InvCatalog/v1.0"
  xmlns:xlink="http://www.w3.org/1999/xlink" name="Ice" version="1.2">
 <service name="all" serviceType="Compound" base="">
  <service name="odap" serviceType="OPENDAP" base="/thredds/dodsC/"/>
  <service name="http" serviceType="HTTPServer" base="/thredds/fileServer/"/></service>
 <service name="latest" serviceType="Resolver" base=""/>
 <service name="dap" serviceType="OPENDAP" base="/thredds/dodsC/"/>
 <dataset name="ice" ID="ice"><metadata inherited="true"><serviceName>all</serviceName></metadata>
  <dataset name="latest.xml" urlPath="latest.xml"><serviceName>latest</serviceName></dataset>
  <dataset name="a.nc" ID="ice/a.nc" urlPath="ice/a.nc"><dataSize units="Mbytes">1.234</dataSize>
</dataset>
  <dataset name="b.nc" ID="ice/b.nc" urlPath="ice/b.nc"><dataSize units="bytes">77</dataSize>
</dataset>
  <dataset name="join" ID="j" urlPath="ice/join"><serviceName>dap</serviceName></dataset>
  <catalogRef xlink:href="2020/catalog.xml" xlink:title="2020" name=""/>
  <catalogRef xlink:href="/thredds/catalog/other/catalog.xml" xlink:title="other" name=""/>
 </dataset></catalog>"""
THREDDS_INNER = """<catalog xmlns="http://www.unidata.ucar.edu/namespaces/thredds/InvCatalog/v1.0">
 <service name="http" serviceType="HTTPServer" base="/thredds/fileServer/"/>
 <dataset name="c.nc" urlPath="ice/2020/c.nc" serviceName="http"/></catalog>"""
THREDDS_PAGE = "<title>Catalog</title><h1>THREDDS Data Server</h1><table></table>"
BELOW = {CATALOG.replace("catalog.xml", "2020/catalog.xml"): THREDDS_INNER}


@pytest.mark.parametrize(
    "of",
    [
        answering(CATALOG, THREDDS, "application/xml"),
        landing(CATALOG.replace(".xml", ".html"), html=THREDDS_PAGE),
        lost_landing(CATALOG.replace(".xml", ".html")),
    ],
    ids=["xml", "html", "page-refused"],
)
def test_a_catalog_is_read_with_those_below_it(of: Landing) -> None:
    item = told(of, {CATALOG: THREDDS, **BELOW})

    assert (item.platform_name, item.platform_id, item.title) == ("listing", CATALOG, "Ice")
    assert sizes(item) == {"a.nc": None, "b.nc": 77, "join": None, "2020/c.nc": None}
    assert item.manifest[0].platform_url == "https://t.example/thredds/fileServer/ice/a.nc"
    assert item.manifest[0].extra == {"content_size": "1.234 Mbytes"}
    assert item.manifest[2].status is Status.PLATFORM_RESTRICTED
    assert "listing-elsewhere" in codes(item)


def test_one_dataset_of_a_catalog_is_that_one_alone() -> None:
    of = landing(f"{CATALOG.replace('.xml', '.html')}?dataset=ice/b.nc", html=THREDDS_PAGE)

    item = told(of, {CATALOG: THREDDS})

    assert sizes(item) == {"b.nc": 77}


def test_a_catalog_that_is_gone_is_gone() -> None:
    with pytest.raises(IngestStop) as stop:
        told(lost_landing(CATALOG), {CATALOG: 404})

    assert stop.value.status is Status.PLATFORM_404


HOSTILE = {
    "apache": landing(TOP, html=APACHE),
    "lighttpd": landing(TOP, html=LIGHTTPD),
    "iis": landing(TOP, html=IIS),
    "json": answering(TOP, NGINX_JSON, "application/json"),
    "xml": answering(TOP, NGINX_XML, "text/xml"),
    "bucket": answering(BUCKET, bucket(contents(("a", 1, MD5)), truncated=True), "text/xml"),
    "catalog": answering(CATALOG, THREDDS, "application/xml"),
}
SPLINTERS = (
    "<",
    ">",
    '"',
    "&",
    "\x00",
    "\ud800",
    "../",
    "%2e%2e/",
    "</a>",
    "<a href='",
    "]]>",
    "9" * 30,
)


def mutated(text: str, chance: random.Random) -> str:
    for _ in range(chance.randint(1, 4)):
        at, end = sorted(chance.randrange(len(text) + 1) for _ in range(2))
        what = chance.choice((text[at:end], "", chance.choice(SPLINTERS)))
        text = text[:at] + what + text[chance.choice((at, min(end, at + 9), end)) :]
    return text


@pytest.mark.parametrize("kind", HOSTILE)
def test_no_listing_is_too_hostile(kind: str) -> None:
    chance, of = random.Random(kind), HOSTILE[kind]
    text = of.html or of.body.decode()

    for _ in range(400):
        body = mutated(text, chance)
        outcome = outcome_of(body, of)

        assert isinstance(outcome, PlatformItem | IngestStop)


def outcome_of(body: str, of: Landing) -> PlatformItem | IngestStop:
    encoded = body.encode("utf-8", "replace")
    html = encoded.decode() if of.html else ""
    page = Landing(of.asked, of.hops, 200, of.headers, encoded, html=html)
    try:
        return told(page, {f"{TOP}2020/": body, CATALOG: body})
    except IngestStop as stop:
        return stop
