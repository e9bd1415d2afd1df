// Finds a term's state at a release in its data: `search.atRelease(term, "1.9.0")`.
{
  const search = (self.glossarySearch ||= {});

  // Normalizes a version: 2.0.0 and v2.0 are 2. Returns nothing for other names.
  const version = (name) => (/^v?\d+(\.\d+)*$/.test(name) ? name.replace(/^v/, "").replace(/(\.0)+$/, "") : "");
  const order = new Intl.Collator("en", { numeric: true }).compare;

  const releasesOf = ({ wordings, absent, unread }) => {
    const listed = (releases, state, revision) =>
      Object.entries(releases).map(([id, name]) => ({ id, part: id.replace(/^r/, ""), name, state, revision }));
    return [
      ...wordings.flatMap((revision) => listed(revision.releases, "same", revision)),
      ...listed(absent, "absent"),
      ...listed(unread, "unread"),
    ];
  };

  // If two sources have versions, an unknown version could belong to either.
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
