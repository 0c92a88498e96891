(whole => {
  const seen = e => e.checkVisibility({visibilityProperty: true, opacityProperty: true}) && e.getClientRects().length > 0;
  const body = document.body;
  const found = {
    url: document.URL,
    title: document.title,
    type: document.contentType,
    password: [...document.querySelectorAll('input[type=password]')].some(seen),
    bare: !body || !body.firstElementChild && !body.textContent.trim() && !body.shadowRoot,
  };

  // Text that nobody can see, by styles that only the browser knows, is marked
  // for the reader of the HTML: as good as transparent, tiny, cut or moved away,
  // or of the colour of its background. What is display:none or invisible is
  // left to that reader, as it may be a click away, and so is what moves. A
  // page of which a large part is hidden is in the middle of something.
  const mark = doc => {
    const end = performance.now() + 300, most = 20000;
    const view = doc.defaultView;
    const states = new Map();
    const canvas = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
    const colours = new Map();
    const colour = text => {
      const plain = text.match(/^rgba?\((\d+), (\d+), (\d+)(?:, ([\d.]+))?\)$/);
      if (plain) return [+plain[1], +plain[2], +plain[3], +(plain[4] ?? 1)];
      if (!colours.has(text)) {
        canvas.clearRect(0, 0, 1, 1);
        canvas.fillStyle = text;
        canvas.fillRect(0, 0, 1, 1);
        const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
        colours.set(text, [r, g, b, a / 255]);
      }
      return colours.get(text);
    };
    const over = (top, under) => under && [0, 1, 2].map(i => top[i] * top[3] + under[i] * (1 - top[3]));
    const paints = style => style.backgroundImage !== 'none' || colour(style.backgroundColor)[3] > 0;

    // state is what an element has from itself and those it stands in. Its
    // background is null when it is not one plain colour.
    const state = e => {
      let s = states.get(e);
      if (s) return s;
      const parent = e.assignedSlot ?? e.parentElement ?? e.getRootNode().host;
      const up = parent ? state(parent) : {opacity: 1, background: [255, 255, 255]};
      const style = getComputedStyle(e);
      const moves = style.animationName !== 'none' || /[1-9]/.test(style.transitionDuration);
      s = {
        style, parent,
        moves: up.moves || moves,
        opacity: up.opacity * style.opacity,
        scrolls: up.scrolls || e !== doc.body && e !== doc.documentElement && style.overflowX !== 'visible',
        cut: up.cut || style.clipPath.match(/^inset\((50|100)%\)$/) ||
          /absolute|fixed/.test(style.position) && style.clip.match(/^rect\((0px(, 0px){3}|1px(, 1px){3})\)$/),
        background: up.background,
      };
      if (!parent && /dark/.test(style.colorScheme) || style.backgroundImage !== 'none' || style.mixBlendMode !== 'normal' || style.filter !== 'none') s.background = null;
      const own = colour(style.backgroundColor);
      if (own[3] === 1 && style.backgroundImage === 'none') s.background = own;
      else if (own[3] > 0) s.background = over(own, s.background);
      states.set(e, s);
      return s;
    };

    const place = texts => {
      const range = doc.createRange();
      range.setStartBefore(texts[0]);
      range.setEndAfter(texts[texts.length - 1]);
      return range.getBoundingClientRect();
    };
    // away: left of or above the page, where nobody can scroll. Parts of a
    // carousel wait there for their turn.
    const away = (s, at) => !s.scrolls && (at.width > 0 || at.height > 0) && (at.right + view.scrollX <= 0 || at.bottom + view.scrollY <= 0);
    const blends = s => {
      const style = s.style;
      if (!s.background || style.textShadow !== 'none' || parseFloat(style.webkitTextStrokeWidth) > 0) return false;
      const shown = over(colour(style.webkitTextFillColor), s.background);
      return shown.every((c, i) => Math.abs(c - s.background[i]) <= 6);
    };
    // backed: something other than what the element stands in lies behind it.
    const backed = ({element, at}, painted) => {
      const ancestors = new Set();
      for (let e = element; e; e = states.get(e).parent) {
        ancestors.add(e);
        states.get(e).veiled ??= ['::before', '::after'].some(part => {
          const style = getComputedStyle(e, part);
          return style.content !== 'none' && paints(style);
        });
        if (states.get(e).veiled) return true;
      }
      const x = at.left + at.width / 2, y = at.top + at.height / 2;
      return painted.some(({e, box}) => box.left <= x && box.right >= x && box.top <= y && box.bottom >= y && !ancestors.has(e));
    };

    let total = 0, hidden = 0, count = 0;
    const marks = [], blended = [], elements = [];
    const walk = root => {
      for (const e of root.querySelectorAll('*')) {
        if (++count > most || performance.now() > end) return;
        elements.push(e);
        if (e.shadowRoot) walk(e.shadowRoot);
        if (/^(script|style|noscript|template|textarea|title|option|iframe)$/.test(e.localName) || e.hasAttribute('data-pifetch-frame')) continue;
        const texts = [...e.childNodes].filter(n => n.nodeType === Node.TEXT_NODE && n.data.trim());
        if (!texts.length) continue;
        const length = texts.reduce((n, t) => n + t.data.trim().length, 0);
        total += length;
        if (!e.checkVisibility({visibilityProperty: true})) continue;
        const s = state(e), at = place(texts);
        const titles = length < 200 && e.closest('h1, h2, h3, h4, h5, h6'); // a title shown as a picture
        if (parseFloat(s.style.fontSize) <= 2 || !s.moves && s.opacity < 0.05 || !titles && (s.cut || !s.moves && away(s, at))) {
          hidden += length;
          marks.push(e);
        } else if (blended.length < 500 && !s.moves && blends(s)) {
          blended.push({element: e, at, length});
        }
      }
    };
    if (doc.body) walk(doc.body);
    const painted = [];
    for (const e of blended.length ? elements : []) {
      if (performance.now() > end) break;
      const style = state(e).style;
      if (!/^(img|video|canvas|svg|iframe|object|embed)$/.test(e.localName) && !paints(style)) continue;
      let box = e.getBoundingClientRect();
      // What is fixed behind a page goes along with it.
      if (style.position === 'fixed' && box.height > view.innerHeight * 0.9) box = {left: box.left, right: box.right, top: -Infinity, bottom: Infinity};
      painted.push({e, box});
    }
    for (const found of blended) {
      if (performance.now() > end) break; // painted may lack something
      if (backed(found, painted)) continue;
      hidden += found.length;
      marks.push(found.element);
    }
    if (hidden * 3 <= total) for (const e of marks) e.setAttribute('data-pifetch-hidden', '');
  };

  // What a frame shows goes where the frame stands. Its scripts and styles stay
  // behind, and its links are resolved where they mean what they say.
  const inline = (doc, depth) => {
    for (const frame of doc.querySelectorAll('iframe, frame')) {
      const inner = frame.contentDocument;
      if (!inner?.body || !seen(frame) || !inner.body.innerText?.trim()) continue;
      mark(inner);
      if (depth < 3) inline(inner, depth + 1);
      for (const e of inner.querySelectorAll('[href], [src]')) {
        for (const name of ['href', 'src']) {
          if (e.hasAttribute(name) && typeof e[name] === 'string') e.setAttribute(name, e[name]);
        }
      }
      const copy = doc.createElement('div');
      copy.setAttribute('data-pifetch-frame', inner.URL);
      for (const node of inner.body.childNodes) copy.append(doc.importNode(node, true));
      for (const e of copy.querySelectorAll('script, style, link, meta, base')) e.remove();
      frame.replaceWith(copy);
    }
    if (doc.body?.localName === 'frameset') {
      const body = doc.createElement('body');
      body.append(...doc.body.childNodes);
      doc.body.replaceWith(body);
    }
  };
  if (whole && document.contentType.endsWith('html')) {
    mark(document);
    inline(document, 0);
  }

  if (document.contentType === 'application/xhtml+xml') {
    const html = document.implementation.createHTMLDocument('');
    html.documentElement.replaceWith(html.importNode(document.documentElement, true));
    found.html = '<!DOCTYPE html>' + html.documentElement.outerHTML;
  }
  return JSON.stringify(found);
})
