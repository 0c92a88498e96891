(() => {
  if (top !== self) return;
  let timer = 0, cost = 0;
  const few = 200;
  const roots = new WeakSet();
  const length = root => {
    let n = root.textContent.length;
    for (const e of root.querySelectorAll('script, style, noscript, template')) n -= e.textContent.length;
    if (n < few) {
      // A page of components has its text in shadow roots.
      for (const e of root.querySelectorAll('*')) {
        const shadow = e.shadowRoot;
        if (!shadow) continue;
        if (!roots.has(shadow)) {
          roots.add(shadow);
          observer.observe(shadow, changes);
        }
        n += length(shadow);
      }
    }
    return n;
  };
  const scripts = () => {
    let n = 0;
    for (const s of document.scripts) {
      const type = (s.type || '').toLowerCase();
      if (!type || type === 'module' || type.includes('javascript')) n++;
    }
    return n;
  };
  const report = () => {
    clearTimeout(timer);
    timer = 0;
    const start = performance.now();
    const message = JSON.stringify({
      text: document.body ? length(document.body) : 0,
      scripts: scripts(),
      refresh: document.querySelector('meta[http-equiv=refresh i]')?.content,
      base: document.baseURI,
    });
    cost = performance.now() - start;
    __pifetch(message);
  };
  // A large document is measured less often.
  const changed = () => { timer ||= setTimeout(report, Math.max(40, cost * 10)); };
  const changes = {childList: true, subtree: true, characterData: true};
  const observer = new MutationObserver(changed);
  observer.observe(document, changes);
  document.addEventListener('DOMContentLoaded', report);
})();
