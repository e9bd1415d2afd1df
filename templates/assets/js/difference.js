// Shows the difference of two definitions: `glossaryDifference.shown(one, two, part)`. `reveal` shows, in an element with
// links to the pages of two wordings, the difference of these.
{
  // Returns the text of a definition on the page, with its ranges of code.
  const read = (definition) => {
    let text = "";
    const code = [];
    const part = (space) => { if (text) text += space.slice(/\n*$/.exec(text)[0].length); };
    const walk = (element) => {
      for (const node of element.childNodes) {
        if (node.nodeType === Node.TEXT_NODE && (text || /\S/.test(node.data))) text += node.data;
        if (node.nodeType === Node.ELEMENT_NODE && !node.matches(".note-title")) enter(node);
      }
    };
    const enter = (element) => {
      const { display } = getComputedStyle(element);
      const space = display.startsWith("inline") ? "" : /^(list-item|table-row)$/.test(display) ? "\n" : "\n\n";
      part(element.matches("br") ? "\n" : space);
      const start = text.length;
      walk(element);
      if (element.matches("code, pre, kbd, samp") && code.at(-1)?.[0] !== start) code.push([start, text.length]);
      part(space);
    };
    walk(definition);
    return { text: text.trimEnd(), code };
  };

  const element = (name, className, ...inside) => {
    const made = document.createElement(name);
    if (className) made.className = className;
    made.append(...inside);
    return made;
  };

  const hidden = (said) => element("span", "visually-hidden", said);

  const withCode = (text, code) => {
    const parts = [];
    let place = 0;
    for (const [start, end] of code) {
      if (Math.max(start, place) >= Math.min(end, text.length)) continue;
      parts.push(text.slice(place, start), element("code", "", text.slice(Math.max(start, place), end)));
      place = Math.min(end, text.length);
    }
    return [...parts, text.slice(place)];
  };

  const INLINE = "a, abbr, b, cite, code, em, i, ins, kbd, q, s, samp, small, span, strong, sub, sup, u, var";
  // Returns the outermost inline element that begins or ends with a node.
  const outer = (node, side) => {
    while (node.parentElement.matches(INLINE) && !node[side]) node = node.parentElement;
    return node;
  };
  const before = (node, ...added) => outer(node, "previousSibling").before(...added);
  const after = (node, ...added) => outer(node, "nextSibling").after(...added);

  const textNodes = (definition) => {
    const walker = document.createTreeWalker(definition, NodeFilter.SHOW_TEXT), nodes = [];
    while (walker.nextNode()) if (!walker.currentNode.parentElement.closest(".note-title")) nodes.push(walker.currentNode);
    return nodes;
  };

  // Returns the newer definition with marks around added words, and with the removed words. Spaces are not counted, as
  // `read` adds some.
  const marked = (definition, segments, says) => {
    const copy = definition.cloneNode(true), nodes = textNodes(copy), end = () => hidden(says("marked-end"));
    let last;
    // Returns the next text node, which ends after so many characters at most, and the number of those that it lacks.
    const next = (count) => {
      let node = nodes.shift();
      const start = node.data.search(/\S/);
      if (start < 0) return next(count);
      if (start) node = node.splitText(start);
      const found = [...node.data.matchAll(/\S/g)], stop = found[count - 1]?.index + 1;
      if (stop < node.length) nodes.unshift(node.splitText(stop));
      return [node, Math.max(0, count - found.length)];
    };
    segments.forEach(({ kind, text, code }, number) => {
      const removed = segments[number - 1]?.kind === "deleted" && segments[number - 1];
      const deletion = ({ text, code }) => element("del", "", hidden(says("marked-removed")), ...withCode(text.trimEnd(), code), end());
      if (kind === "deleted") {
        if (last && segments[number + 1]?.kind !== "inserted") after(last, " ", deletion({ text, code }));
        return;
      }
      let missing = text.replace(/\s/g, "").length, isFirst = true;
      while (missing) {
        [last, missing] = next(missing);
        last = last.parentElement.closest("math") || last;
        if (isFirst && removed && (kind === "inserted" || number === 1)) before(last, deletion(removed), " ");
        if (kind === "inserted" && !last.closest?.("ins")) {
          const added = element("ins");
          last.replaceWith(added);
          added.append(last);
          if (isFirst) before(last, hidden(says("marked-added")));
        }
        if (kind === "inserted" && !missing) after(last, end());
        isFirst = false;
      }
    });
    copy.className = "difference definition";
    return copy;
  };

  const whole = ({ label, wording }, side) => {
    const definition = wording.cloneNode(true);
    definition.className = "definition";
    return element("div", side, element("p", "label", label), definition);
  };

  const counted = ({ added, removed }, says) => {
    const form = new Intl.PluralRules(document.documentElement.lang);
    const say = (key, count) => says(`${key}-${form.select(count)}`).replace("{count}", count);
    if (!added || !removed) return added ? say("added", added) : removed ? say("removed", removed) : "";
    const both = { added: say("added", added), removed: say("also-removed", removed) };
    return says("both").replace(/\{(\w+)\}/g, (_, name) => both[name]);
  };

  // Returns the nodes to show for two definitions, with the labels of a part of the page.
  const shown = (one, two, part, beside = false) => {
    const says = (name) => part.getAttribute(`data-${name}`);
    const found = glossaryWords.difference(read(one.wording), read(two.wording));
    if (found.segments.every(({ kind }) => kind === "same")) return [element("p", "muted", says("same"))];
    const summary = element("p", "muted", counted(found, says));
    if (found.rewritten || beside) return [summary, element("div", "before-after", whole(one, "before"), whole(two, "after"))];
    return [summary, marked(two.wording, found.segments, says)];
  };

  const wordingAt = async ({ href, textContent }) => {
    const page = new DOMParser().parseFromString(await (await fetch(href)).text(), "text/html");
    const wording = page.querySelector(".definition-main");
    for (const name of ["href", "src"])
      for (const link of wording.querySelectorAll(`[${name}]`)) link.setAttribute(name, new URL(link.getAttribute(name), href));
    return { label: textContent, wording };
  };

  const reveal = async (details) => {
    const links = details.querySelectorAll(".event-links a");
    const [part, one, two] = await Promise.all([glossaryPage.part("difference"), ...[...links].map(wordingAt)]);
    const read = element("div", "", one.wording, two.wording);
    read.hidden = true;
    part.after(read); // only elements of the page have a style
    details.querySelector("[data-words]").replaceChildren(...shown(one, two, part));
    read.remove();
  };

  self.glossaryDifference = { shown, reveal };
}
