import { render } from 'lit';
import { renderCaseView } from '#pages/results/caseView.ts';
import type { CaseView } from '#pages/results/resultsMessages.ts';
import type { ResultsStrings } from '#pages/results/resultsStrings.ts';

/** Renders the details of a case. */
export function renderCase(shown: CaseView, strings: ResultsStrings): HTMLElement {
	const root = document.createElement('div');
	render(
		renderCaseView(shown, strings, () => {}),
		root,
	);
	return root;
}
