import type { MarkdownStrings } from '../markdownStrings.ts';
import { displayClass, formulaClass, parseFormula } from './formulaSyntax.ts';

/** Time limit for one slice of rendering, in milliseconds. */
const sliceMs = 6;
/** Number of rendered formulas to keep, because a growing text renders the ones of its last block again. */
const mostKept = 500;

type CreateMath = typeof import('./mathElement.ts').createMathElement;
type FormulaStrings = Pick<MarkdownStrings, 'formulaTooLarge'>;

/** Rendered formulas, by source; a string is the message of an error, and undefined means too large. */
const kept = new Map<string, Element | string | undefined>();
const waiting: { readonly element: HTMLElement; readonly strings: FormulaStrings }[] = [];
let load: Promise<CreateMath> | undefined;

/** Renders the formulas in an element: at once if they are known, otherwise in slices. Until then they are shown as they were written. */
export function renderFormulas(element: HTMLElement, strings: FormulaStrings): void {
	for (const formula of element.querySelectorAll<HTMLElement>(`.${formulaClass}`)) {
		// a class, because :has() would make each change of a long text cost more
		element.classList.add('withFormulas');
		renderFormula(formula, strings);
	}
}

/** Creates the element of a formula on a line of its own. */
export function createDisplayFormula(tex: string, strings: FormulaStrings): HTMLElement {
	const element = document.createElement('span');
	element.className = `${formulaClass} ${displayClass}`;
	element.textContent = `$$\n${tex}\n$$`;
	renderFormula(element, strings);
	return element;
}

function renderFormula(element: HTMLElement, strings: FormulaStrings): void {
	element.dir = 'ltr';
	const source = element.textContent ?? '';
	if (kept.has(source)) {
		showFormula(element, kept.get(source), strings);
		return;
	}
	waiting.push({ element, strings });
	if (waiting.length === 1) {
		load ??= import('./mathElement.ts').then(module => module.createMathElement);
		// without the renderer, formulas stay as they were written
		load.then(renderSlice, () => waiting.splice(0));
	}
}

function renderSlice(createMath: CreateMath): void {
	const until = performance.now() + sliceMs;
	let done = 0;
	for (const { element, strings } of waiting) {
		showFormula(element, createFormula(element.textContent ?? '', createMath), strings);
		done++;
		if (performance.now() > until) {
			break;
		}
	}
	waiting.splice(0, done);
	if (waiting.length > 0) {
		requestAnimationFrame(() => renderSlice(createMath));
	}
}

function createFormula(source: string, createMath: CreateMath): Element | string | undefined {
	if (!kept.has(source)) {
		if (kept.size >= mostKept) {
			kept.clear();
		}
		kept.set(source, tryCreateMath(source, createMath));
	}
	return kept.get(source);
}

function tryCreateMath(source: string, createMath: CreateMath): Element | string | undefined {
	try {
		return createMath(parseFormula(source));
	} catch (error) {
		// a formula that is nested too deep exhausts the stack; messages underline the position with combining characters
		return error instanceof RangeError ? undefined : String(error instanceof Error ? error.message : error).replaceAll('\u0332', '');
	}
}

/** Shows a formula; if it has an error, its source with the message as tooltip. */
function showFormula(element: HTMLElement, formula: Element | string | undefined, { formulaTooLarge }: FormulaStrings): void {
	if (typeof formula === 'object') {
		element.replaceChildren(formula.cloneNode(true));
		element.classList.add('drawn');
	} else {
		element.title = formula ?? formulaTooLarge;
		element.classList.add('faulty');
	}
}
