import createPurifier from 'dompurify';

const tags = 'p br hr h1 h2 h3 h4 h5 h6 ul ol li blockquote pre code em strong s del a table thead tbody tr th td div span sup sub'.split(
	' ',
);
const attributes = ['href', 'title', 'class', 'start', 'style'];

/** Allowed URL schemes of links; the editor asks before it opens one. */
const links = /^(?:https?|mailto):/i;

let purifier: ReturnType<typeof createPurifier> | undefined;

function createConfiguredPurifier(): ReturnType<typeof createPurifier> {
	const made = createPurifier(window);
	// set once, because setting it for each text would cost as much as sanitizing the text
	made.setConfig({
		ALLOWED_TAGS: tags,
		ALLOWED_ATTR: attributes,
		ALLOWED_URI_REGEXP: links,
		// without this, the purifier would treat values of other attributes as URLs
		ADD_URI_SAFE_ATTR: ['start'],
		ALLOW_DATA_ATTR: false,
		ALLOW_ARIA_ATTR: false,
		RETURN_DOM_FRAGMENT: true,
	});
	return made;
}

/**
 * Sanitizes HTML as a second line of defense after the renderer, which outputs no raw HTML. Allows only formatting: no scripts, styles,
 * forms, frames, images or other URL schemes. Returns one element per text. All texts are sanitized together, because the purifier creates
 * a document per call, which costs more than a text.
 */
export function sanitizeTexts(texts: readonly string[]): HTMLElement[] {
	if (texts.length === 0) {
		return [];
	}
	const nodes = [...sanitizeFragment(texts.map(html => `<div>${html}</div>`).join('')).childNodes];
	return nodes.length === texts.length ? (nodes as HTMLElement[]) : texts.map(sanitizeText);
}

/** Fallback for a text with unbalanced tags, which the renderer never creates. */
function sanitizeText(html: string): HTMLElement {
	const element = document.createElement('div');
	element.append(sanitizeFragment(html));
	return element;
}

function sanitizeFragment(html: string): DocumentFragment {
	purifier ??= createConfiguredPurifier();
	// the types don't know that the configuration returns a fragment
	const fragment = purifier.sanitize(html) as unknown as DocumentFragment;
	for (const element of fragment.querySelectorAll<HTMLElement>('[style]')) {
		// the renderer only uses styles to align table cells
		const align = element.style.textAlign;
		element.removeAttribute('style');
		if (align) {
			element.style.textAlign = align;
		}
	}
	return fragment;
}
