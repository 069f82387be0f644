import { html, nothing } from 'lit';
import { formatDuration } from '#base/text/duration.ts';
import { fill } from '../shared/fill.ts';
import { formatNumber } from '../shared/format.ts';
import { renderMenuButton } from '../shared/menu.ts';
import type { FromResults, ResultsState } from './resultsMessages.ts';
import type { ResultsStrings } from './resultsStrings.ts';

type Command = Extract<FromResults, { type: 'command' }>['command'];

interface HeaderModel {
	readonly name: string;
	readonly state: ResultsState;
	readonly strings: ResultsStrings;
	/** IDs of the selected cases. */
	readonly selected: readonly string[];
	/** The history, to which the shown batch can be added. */
	readonly trend: { readonly file: string; hasBatch(id: string | undefined): boolean };
	post(message: FromResults): void;
}

/** Renders the suite's name, the choice of batch and the actions. */
export function renderResultsHeader({ name, state, strings, selected, trend, post }: HeaderModel): unknown {
	const { batch, batches, live, resumable, results, failed, notRun } = state;
	const isBaseline = batches.find(({ id }) => id === batch)?.isBaseline ?? false;
	const renderButton = (icon: string, label: string, act: () => void, { disabled = false, title = label } = {}) => html`<button
		type="button"
		class="wordButton"
		title=${title}
		?disabled=${disabled}
		@click=${act}
	><span class="codicon codicon-${icon}" aria-hidden="true"></span><span class="word">${label}</span></button>`;
	const renderCommand = (icon: string, label: string, name: Command, more?: { disabled?: boolean; title?: string }) =>
		renderButton(icon, label, () => post({ type: 'command', command: name }), more);
	const none = results === 0;
	const isMatrix = state.matrix !== undefined;
	const describeAdding = () => {
		const isAdded = trend.hasBatch(batch);
		const title = isAdded ? strings.trend.added : state.isWhole ? fill(strings.trend.addHint, trend.file) : strings.trend.notWhole;
		return { disabled: isAdded || !state.isWhole, title };
	};
	const renderBatchActions = () => html`
			${
				state.hasVariants || isMatrix
					? renderCommand('split-horizontal', strings.compareVariants, 'compareVariants', {
							disabled: live !== undefined,
							title: strings.compareVariantsHint,
						})
					: nothing
			}
			${resumable ? renderCommand('debug-continue', strings.resume, 'resume', { title: strings.resumeHint }) : nothing}
			${
				isMatrix
					? nothing
					: html`${renderCommand('debug-rerun', strings.rerunFailed, 'rerunFailed', { disabled: live !== undefined || failed + notRun === 0 })}
			${renderButton('run-all', strings.rerunSelected, () => post({ type: 'rerun', ids: [...selected] }), { disabled: live !== undefined || selected.length === 0 })}
			${isBaseline ? renderCommand('pinned', strings.unpin, 'unpin') : renderCommand('pin', strings.pin, 'pin', { disabled: none })}`
			}
			${state.hasJudges ? renderCommand('law', strings.review, 'review', { disabled: none, title: strings.reviewHint }) : nothing}
			${renderMenuButton({
				id: 'export',
				icon: 'export',
				label: strings.export,
				title: strings.exportHint,
				isLabeled: true,
				disabled: none,
				items: (['exportCsv', 'exportJsonl', 'exportMarkdown'] as const).map(command => ({
					icon: 'export',
					label: strings[command],
					act: () => post({ type: 'command', command }),
				})),
			})}
`;
	return html`<header class="top">
		<h1>${fill(strings.title, name)}</h1>
		<select
			class="batches"
			aria-label=${strings.batch}
			.value=${batch ?? ''}
			@change=${(event: Event) => post({ type: 'batch', id: (event.target as HTMLSelectElement).value })}
		>${batches.length === 0 ? html`<option value="">${strings.noBatch}</option>` : batches.map(({ id, text }) => html`<option value=${id} ?selected=${id === batch}>${text}</option>`)}</select>
		<div class="ranges" role="radiogroup" aria-label=${strings.trend.view}>${(['results', 'trend'] as const).map(
			view =>
				html`<label class="chip"><input type="radio" name="view" .checked=${state.view === view} @change=${() => post({ type: 'view', view })}><span>${strings.trend.views[view]}</span></label>`,
		)}</div>
		<div class="actions" role="toolbar" aria-label=${strings.actions}>
			${
				live
					? renderCommand('debug-stop', strings.cancel, 'cancel', { disabled: live.stopping, title: strings.cancelHint })
					: renderCommand('play', strings.run, 'run')
			}
			${state.view === 'trend' ? renderCommand('add', strings.trend.add, 'addToHistory', describeAdding()) : renderBatchActions()}
		</div>
	</header>`;
}

/** Renders the counts, the progress and problems. */
export function renderResultsStatus({ state, strings }: Pick<HeaderModel, 'state' | 'strings'>): unknown {
	const { passed, failed, notRun, live, reading, ended, problem } = state;
	return html`<div class="statusLine">
		<span class="count">${fill(strings.counts, formatNumber(passed), formatNumber(failed), formatNumber(notRun))}</span>
		${live ? html`<progress aria-label=${formatProgress(state, strings)} .max=${live.total ?? 1} .value=${live.total === undefined ? 0 : live.done}></progress><span class="count">${formatProgress(state, strings)}</span>` : nothing}
		${reading ? html`<span class="dim">${strings.reading}</span>` : nothing}
		${live?.waiting ? html`<span class="dim">${live.waiting}</span>` : nothing}
		${ended ? html`<span class="dim ended">${ended}</span>` : nothing}
		${problem ? html`<span class="problem" role="alert"><span class="codicon codicon-error" aria-hidden="true"></span>${problem}</span>` : nothing}
	</div>`;
}

function formatProgress({ live }: ResultsState, strings: ResultsStrings): string {
	if (!live) {
		return '';
	}
	if (live.stopping) {
		return strings.stopping;
	}
	const { done, total, secondsLeft } = live;
	const far =
		total === undefined ? fill(strings.progressOpen, formatNumber(done)) : fill(strings.progress, formatNumber(done), formatNumber(total));
	// the first results are too few for an estimate
	const left =
		secondsLeft === undefined || done < 3 ? '' : ` · ${fill(strings.left, formatDuration(secondsLeft * 1000, 'brief', strings))}`;
	return far + left;
}
