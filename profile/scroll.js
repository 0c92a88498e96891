(async (height, steps, patience) => {
  const length = () => document.body?.textContent.length ?? 0;
  const page = document.scrollingElement, root = document.documentElement;
  const start = performance.now();
  const within = ms => performance.now() < start + ms;
  const pause = ms => new Promise(done => setTimeout(done, ms));
  // Observers are told of what a frame shows.
  const frames = () => Promise.race([pause(200), new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))]);
  const go = async top => {
    scrollTo({top, behavior: 'instant'});
    await frames();
  };
  while (innerHeight !== height && within(500)) await pause(10);
  await frames();
  if (page && steps === 0 && page.scrollHeight > innerHeight) {
    await go(page.scrollHeight);
    scrollTo({top: 0, behavior: 'instant'});
  }
  if (page && steps > 0) {
    // Room to move the page out of view.
    const before = [root.style.getPropertyValue('padding-top'), root.style.getPropertyPriority('padding-top')];
    root.style.setProperty('padding-top', height + 'px', 'important');
    for (let step = 0; step < steps && within(1500); step++) {
      const text = length();
      await go(0);
      await go(page.scrollHeight);
      for (const over = performance.now() + patience; length() === text && performance.now() < over;) await pause(20);
      if (length() === text) break;
    }
    root.style.setProperty('padding-top', ...before);
    await go(0);
  }
  return length();
})
