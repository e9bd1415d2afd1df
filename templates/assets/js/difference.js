// Shows the difference of two definitions: `glossaryDifference.shown(one, two, part)`. `withCode` returns a
// text as nodes, with <code> for its ranges of code.
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
      if (element.matches("ol > li")) text += `${element.parentElement.start + [...element.parentElement.children].indexOf(element)}. `;
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

  // A piece at the end of a text has no space after it.
  const piece = ({ kind, text, code }, says) => {
    const words = text.trimEnd(), space = text.slice(words.length) || " ", parts = withCode(words, code);
    if (kind === "same") return [...parts, space];
    const end = hidden(says("marked-end"));
    if (kind === "deleted") return [element("del", "", hidden(says("marked-removed")), ...parts, end), space];
    return [hidden(says("marked-added")), element("ins", "", ...parts), end, space];
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
    const text = element("p", "difference", ...found.segments.flatMap((segment) => piece(segment, says)));
    text.dir = "auto";
    return [summary, text];
  };

  self.glossaryDifference = { shown, withCode };
}
