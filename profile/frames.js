({
  // list returns the frames of other sites that a reader of the page would look
  // at: large ones, or any when the page says little itself.
  list() {
    const frames = document.contentType.endsWith('html') ? [...document.querySelectorAll('iframe, frame')] : [];
    const found = frames.filter(f => !f.contentDocument && f.checkVisibility({visibilityProperty: true, opacityProperty: true}));
    if (!found.length) return null;
    const little = document.body.innerText.length < 500;
    const large = f => {
      const {width, height} = f.getBoundingClientRect();
      return little ? width > 50 && height > 50 : width >= 400 && height >= 200;
    };
    return found.filter(large).slice(0, 5);
  },

  // progress says how far the document of a frame is.
  progress() {
    return {text: document.body?.innerText.trim().length ?? 0, complete: document.readyState === 'complete'};
  },

  // take returns what the document of a frame shows, and is its end.
  take() {
    const body = document.body;
    if (!body || !document.contentType.endsWith('html')) return {};
    const text = body.innerText.trim().length;
    const roots = [];
    const clean = root => {
      for (const e of root.querySelectorAll('*')) {
        for (const name of ['href', 'src']) {
          if (e.hasAttribute(name) && typeof e[name] === 'string') e.setAttribute(name, e[name]);
        }
        if (e.shadowRoot) {
          roots.push(e.shadowRoot);
          clean(e.shadowRoot);
        }
      }
      for (const e of root.querySelectorAll('script, style, link, meta, base, noscript')) e.remove();
    };
    clean(body);
    const html = body.getHTML({shadowRoots: roots});
    return text && html.length <= 1 << 20 ? {url: document.URL, text, html} : {};
  },

  // place puts a mark in the place of a frame, unless what it says is little
  // beside the page.
  place(frame, url, text, mark) {
    if (text < 200 && document.body.innerText.length >= 500) return false;
    const place = document.createElement('div');
    place.setAttribute('data-pifetch-frame', url);
    place.textContent = mark;
    frame.replaceWith(place);
    return true;
  },
})
