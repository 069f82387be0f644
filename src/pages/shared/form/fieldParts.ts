import { html, nothing } from 'lit';
import type { FormStrings } from '#runs/forms/formStrings.ts';
import { fill, fillCount } from '../fill.ts';

/** Renders the problem of a field. */
export function renderProblemLine(id: string, problem: string | undefined): unknown {
	return problem === undefined
		? nothing
		: html`<p class="formProblem" id="${id}-problem" role="alert"><span class="codicon codicon-error" aria-hidden="true"></span><span>${problem}</span></p>`;
}

/** Formats a number of bytes. */
export function formatBytes(bytes: number, { bytes: words }: FormStrings): string {
	if (bytes < 1024) {
		return fillCount(words.b, bytes);
	}
	const [amount, text] = bytes < 1048576 ? [bytes / 1024, words.kb] : [bytes / 1048576, words.mb];
	return fill(text, amount < 10 ? amount.toFixed(1) : Math.round(amount));
}
