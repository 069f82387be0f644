import createPurifier from 'dompurify';

const tags = 'p br hr h1 h2 h3 h4 h5 h6 ul ol li blockquote pre code em strong s del a table thead tbody tr th td div span sup sub'.split(
	' ',
);
const attributes = ['href', 'title', 'class', 'start', 'style'];

/** Schemes that a link may have; the editor asks before it opens one. */
const links = /^(?:https?|mailto):/i;

let purifier: ReturnType<typeof createPurifier> | undefined;

/**
 * The second wall behind the renderer, which writes no HTML of a text: only formatting passes, no script, style sheet, form, frame, picture
 * or foreign scheme. The fragment holds nothing that loads anything.
 */
export function sanitized(html: string): DocumentFragment {
	purifier ??= createPurifier(window);
	const fragment = purifier.sanitize(html, {
		ALLOWED_TAGS: tags,
		ALLOWED_ATTR: attributes,
		ALLOWED_URI_REGEXP: links,
		// the purifier takes the value of any other attribute for an address
		ADD_URI_SAFE_ATTR: ['start'],
		ALLOW_DATA_ATTR: false,
		ALLOW_ARIA_ATTR: false,
		RETURN_DOM_FRAGMENT: true,
	});
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
