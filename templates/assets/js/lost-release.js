// Finds what a term's data say of a release: `search.atRelease(term, "1.9.0")`.
{
  const search = (self.glossarySearch ||= {});

  // A version without what people leave out: 2.0.0 is 2, and so is v2.0. Nothing for names that are no versions.
  const version = (name) => (/^v?\d+(\.\d+)*$/.test(name) ? name.replace(/^v/, "").replace(/(\.0)+$/, "") : "");
  const order = new Intl.Collator("en", { numeric: true }).compare;

  const releasesOf = ({ revisions, absent, unread }) => {
    const listed = (releases, state, revision) =>
      Object.entries(releases).map(([id, name]) => ({ id, part: id.replace(/^r/, ""), name, state, revision }));
    return [
      ...revisions.flatMap((revision) => listed(revision.releases, "same", revision)),
      ...listed(absent, "absent"),
      ...listed(unread, "unread"),
    ];
  };

  // Of two sources with versions of their own, nobody knows which one an unknown version would belong to.
  const before = (all, asked) => {
    const sources = all.filter(({ revision }) => revision).map(({ revision }) => revision.source);
    if (!asked || new Set(sources).size > 1) return undefined;
    return all
      .filter(({ part }) => version(part) && order(version(part), asked) < 0)
      .sort((one, two) => order(version(one.part), version(two.part)))
      .at(-1);
  };

  // The state is "same" where the release is part of a revision's run, "absent" or "unread"; "after" for a version that
  // was not read, and that follows on one of a revision's run; else "unknown".
  search.atRelease = (term, asked) => {
    const all = releasesOf(term);
    const found =
      all.find(({ id, part }) => part === asked || id === asked) ||
      all.find(({ part }) => version(part) && version(part) === version(asked));
    if (found) return found;
    const last = before(all, version(asked));
    return last?.state === "same" ? { ...last, state: "after" } : { state: "unknown" };
  };
}
