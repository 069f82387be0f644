import createPurifier from 'dompurify';

const tags = 'p br hr h1 h2 h3 h4 h5 h6 ul ol li blockquote pre code em strong s del a table thead tbody tr th td div span sup sub'.split(
	' ',
);
const attributes = ['href', 'title', 'class', 'start', 'style'];

/** Schemes that a link may have; the editor asks before it opens one. */
const links = /^(?:https?|mailto):/i;

let purifier: ReturnType<typeof createPurifier> | undefined;

function configured(): ReturnType<typeof createPurifier> {
	const made = createPurifier(window);
	// set once: taken in anew with each text, it would cost as much as the text does
	made.setConfig({
		ALLOWED_TAGS: tags,
		ALLOWED_ATTR: attributes,
		ALLOWED_URI_REGEXP: links,
		// the purifier takes the value of any other attribute for an address
		ADD_URI_SAFE_ATTR: ['start'],
		ALLOW_DATA_ATTR: false,
		ALLOW_ARIA_ATTR: false,
		RETURN_DOM_FRAGMENT: true,
	});
	return made;
}

/**
 * The second wall behind the renderer, which writes no HTML of a text: only formatting passes, no script, style sheet, form, frame, picture
 * or foreign scheme. Returns each text in an element of its own, which holds nothing that loads anything. All pass at once, since the purifier
 * makes a document for each call, which costs more than a text does.
 */
export function sanitized(texts: readonly string[]): HTMLElement[] {
	if (texts.length === 0) {
		return [];
	}
	const nodes = [...purified(texts.map(html => `<div>${html}</div>`).join('')).childNodes];
	return nodes.length === texts.length ? (nodes as HTMLElement[]) : texts.map(alone);
}

/** For a text that closes what it did not open, which the renderer writes none of. */
function alone(html: string): HTMLElement {
	const element = document.createElement('div');
	element.append(purified(html));
	return element;
}

function purified(html: string): DocumentFragment {
	purifier ??= configured();
	// the types know no fragment where the configuration was set before
	const fragment = purifier.sanitize(html) as unknown as DocumentFragment;
	for (const element of fragment.querySelectorAll<HTMLElement>('[style]')) {
		// the renderer aligns table cells this way, and nothing else
		const align = element.style.textAlign;
		element.removeAttribute('style');
		if (align) {
			element.style.textAlign = align;
		}
	}
	return fragment;
}
