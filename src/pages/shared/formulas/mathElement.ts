import createPurifier from 'dompurify';
import temml from 'temml';
import type { Formula } from './formulaSyntax.ts';

/**
 * Limits for one formula. `length`: of its source, in UTF-16 units. `elements` and `depth`: of its MathML; layout of deep MathML takes the
 * browser exponential time. `size`: of spaces and rules, in em. `expansions`: of macros.
 */
const limits = { length: 4000, elements: 2000, depth: 60, size: 20, expansions: 500 };

/** Styles that could move or load something outside of the formula. */
const unwantedStyle = /position|inset|transform|z-index|url\(/i;

let purifier: ReturnType<typeof createPurifier> | undefined;

/**
 * Creates the MathML of a formula. Returns undefined if the formula is too large.
 * @throws {Error} if the formula has an error
 */
export function createMathElement({ tex, isDisplay }: Formula): Element | undefined {
	if (tex.length > limits.length) {
		return undefined;
	}
	const root = document.createElement('span');
	temml.render(tex, root, {
		displayMode: isDisplay,
		// lines break at operators, so that formulas fit into a narrow side bar
		wrap: isDisplay ? '=' : 'tex',
		throwOnError: true,
		trust: false,
		maxSize: [limits.size, limits.size],
		maxExpand: limits.expansions,
	});
	const elements = root.querySelectorAll('*');
	if (elements.length > limits.elements || measureDepth(root) > limits.depth) {
		return undefined;
	}
	purifier ??= createPurifier(window);
	// a second line of defense: only MathML without links stays
	purifier.sanitize(root, { USE_PROFILES: { mathMl: true }, ADD_TAGS: ['span'], ADD_ATTR: ['style', 'class'], IN_PLACE: true });
	for (const element of root.querySelectorAll('[style]')) {
		if (unwantedStyle.test(element.getAttribute('style') ?? '')) {
			element.removeAttribute('style');
		}
	}
	for (const letter of root.querySelectorAll('mi:not([mathvariant])')) {
		// the browser would replace a single letter by one that only math fonts have
		letter.classList.toggle('letter', [...(letter.textContent ?? '')].length === 1);
	}
	return root.querySelector('math') ?? undefined;
}

function measureDepth(root: Element): number {
	let depth = 0;
	for (let level: Element[] = [root]; level.length > 0; depth++) {
		level = level.flatMap(element => [...element.children]);
	}
	return depth;
}
