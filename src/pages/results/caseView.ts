import { html, nothing } from 'lit';
import { getOutcomeIcon } from './outcomeIcon.ts';
import type { CaseView, FromResults } from './resultsMessages.ts';
import type { ResultsStrings } from './resultsStrings.ts';

/** Renders the active case with its checks, inputs and outputs. */
export function renderCaseView(shown: CaseView | undefined, strings: ResultsStrings, post: (message: FromResults) => void): unknown {
	if (!shown) {
		return nothing;
	}
	const { id, name, outcome, fault, error, inputs, outputs, checks, hasRun, comparable } = shown;
	const renderAction = (icon: string, label: string, act: Extract<FromResults, { type: 'act' }>['act'], check?: number) => html`<button
		type="button"
		class="wordButton"
		@click=${() => post({ type: 'act', act, id, ...(check !== undefined && { check }) })}
	><span class="codicon codicon-${icon}" aria-hidden="true"></span>${label}</button>`;
	const renderValue = (label: string, text: string) =>
		text === '{}' ? nothing : html`<h3>${label}</h3><pre tabindex="0" aria-label=${label}>${text}</pre>`;
	// a failed check usually repeats the error of the run
	const problem = [fault ?? error].find(text => text && !checks.some(({ message }) => message.includes(text)));
	return html`<section class="case" aria-label=${name}>
		<div class="caseHead">
			<h2><span class=${getOutcomeIcon(outcome)} aria-hidden="true"></span>${name}</h2>
			${hasRun ? renderAction('inspect', strings.goToRun, 'goToRun') : nothing}
			${renderAction('go-to-file', strings.goToCase, 'goToCase')}
			${comparable ? renderAction('diff', strings.compareBaseline, 'compareBaseline') : nothing}
		</div>
		${problem ? html`<p class="problem"><span class="codicon codicon-error" aria-hidden="true"></span>${problem}</p>` : nothing}
		<ul class="checks" aria-label=${strings.checks}>${checks.map(
			(check, at) => html`<li>
				<span class=${getOutcomeIcon(check.passed ? 'passed' : 'failed')} aria-hidden="true"></span>
				<span><span class="forReaders">${strings.outcomes[check.passed ? 'passed' : 'failed']}: </span>${check.name}${check.message && check.message !== check.name ? html`<br><span class="dim">${check.message}</span>` : nothing}</span>
				${check.differs ? renderAction('diff', strings.compareExpected, 'compareExpected', at) : nothing}
				${check.acceptable ? renderAction('check', strings.accept, 'accept', at) : nothing}
			</li>`,
		)}</ul>
		<div class="values"><div>${renderValue(strings.inputs, inputs)}</div><div>${renderValue(strings.outputs, outputs)}</div></div>
	</section>`;
}
