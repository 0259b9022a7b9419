const field = document.querySelector('#search');
const results = document.querySelector('#results');
const entries = JSON.parse(document.querySelector('#entries').textContent);
const most = 30;

/** Entries that hold all words, those first that have them in the title. */
const found = (words) =>
  entries
    .map((entry) => ({
      ...entry,
      inTitle: words.filter((word) => entry.title.toLowerCase().includes(word)).length,
      all: `${entry.title} ${entry.where} ${entry.text}`,
    }))
    .filter(({ all }) => words.every((word) => all.toLowerCase().includes(word)))
    .sort((a, b) => b.inTitle - a.inTitle);

const line = ({ title, where, id, text }, [word = '']) => {
  const item = document.createElement('li');
  const link = Object.assign(document.createElement('a'), { href: `#${id}`, textContent: title });
  const at = Math.max(0, text.toLowerCase().indexOf(word) - 40);
  const small = Object.assign(document.createElement('small'), {
    textContent: `${where}: ${at > 0 ? '…' : ''}${text.slice(at, at + 140)}`,
  });
  item.append(link, small);
  return item;
};

const search = () => {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  const hits = words.length === 0 ? [] : found(words);
  const more = Object.assign(document.createElement('li'), {
    textContent: hits.length === 0 ? 'Nothing found.' : `${hits.length - most} more. Add a word.`,
  });
  const isTold = words.length > 0 && (hits.length === 0 || hits.length > most);
  results.replaceChildren(...hits.slice(0, most).map((hit) => line(hit, words)), ...(isTold ? [more] : []));
};

/** A link into a closed part opens it. */
const open = () => {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const part = target?.closest('details');
  if (part === null || part === undefined || part.open) return;
  part.open = true;
  target.scrollIntoView();
};

field.addEventListener('input', search);
addEventListener('hashchange', open);
results.addEventListener('click', () => {
  field.value = '';
  search();
});
addEventListener('keydown', (event) => {
  if (event.key !== '/' || document.activeElement === field) return;
  event.preventDefault();
  field.focus();
});
open();
