# SPDX-License-Identifier: AGPL-3.0-or-later
"""How far a run is, by archive and series: each counts what is its own."""

from support.dark_archives import World, asking, file_url, handle, papers, template
from support.full_texts import pdf
from support.wire import WireServer, reply


def last_told(world: World, phase: str) -> dict[tuple[str, str], tuple[int, int | None]]:
    told = [each for each in world.told if each.phase == phase]
    return {(each.archive, each.series): (each.done, each.total) for each in told}


def test_a_folder_counts_its_own_files_and_not_those_of_the_folders_within(world: World) -> None:
    files = {
        "aaa/aaaarch.rdf": template("RePEc:aaa", kind="ReDIF-Archive 1.0"),
        "aaa/wpaper/one.rdf": papers("Tides"),
        "aaa/wpaper/two.rdf": papers("", "Reefs"),
        "aaa/zzz.rdf": template("RePEc:aaa:zzz", kind="ReDIF-Series 1.0"),
    }
    world.gather_tree(files)
    world.told.clear()

    world.gather_tree(files)

    assert last_told(world, "templates") == {("aaa", ""): (2, 2), ("aaa", "wpaper"): (2, 2)}


def test_a_series_counts_its_own_full_texts(world: World) -> None:
    with WireServer() as server, asking() as asker:
        urls = [server.serve(f"/{number}.pdf", reply(pdf(str(number)))) for number in range(3)]
        texts = {
            "aaa/wpaper/a.rdf": "".join(
                template(handle(at), "On Tides", file_url(url)) for at, url in enumerate(urls[:2])
            ),
            "aaa/journl/a.rdf": template(handle(9, "journl"), "On Reefs", file_url(urls[2])),
        }

        world.gather_tree(texts, asker=asker)

    done = {place: number for place, (number, _) in last_told(world, "full texts").items()}
    assert done == {("aaa", "wpaper"): 2, ("aaa", "journl"): 1}
