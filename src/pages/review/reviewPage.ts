import { html, nothing } from 'lit';
import { live } from 'lit/directives/live.js';
import { fill } from '../shared/fill.ts';
import { formatNumber } from '../shared/format.ts';
import type { Handlers } from '../shared/handlers.ts';
import { Page } from '../shared/page.ts';
import { renderAgreement } from './agreementTable.ts';
import {
	type FromReview,
	type FromReviewHost,
	type LabelName,
	labelNames,
	type ReviewedOutput,
	type ReviewState,
	type SavedReview,
} from './reviewMessages.ts';
import type { ReviewStrings } from './reviewStrings.ts';

const labelIcons: Readonly<Record<LabelName, string>> = { pass: 'pass', fail: 'error', skip: 'debug-step-over' };

/** Maximum number of unsaved notes that survive a reload. */
const mostDrafts = 100;

/** Shows one output at a time for a label. The host sends the judge's decision only after that. */
export class ReviewPage extends Page<FromReviewHost, FromReview, SavedReview> {
	#name = '';
	#strings: ReviewStrings | undefined;
	#state: ReviewState | undefined;
	/** The note of the shown output as typed. */
	#note = '';
	/** Typed notes that aren't saved with a label yet, by output. */
	readonly #drafts = new Map(Object.entries(this.host.state.drafts ?? {}));

	protected override readonly handlers: Handlers<FromReviewHost> = {
		snapshot: ({ kept, name, strings, state }) => {
			this.#name = name;
			this.#strings = strings;
			document.title = fill(strings.title, name);
			this.host.saveFields(kept);
			this.#applyState(state);
		},
		state: ({ batch, state }) => {
			this.host.saveFields({ batch });
			this.#applyState(state);
		},
	};

	override start(): void {
		super.start();
		window.addEventListener('keydown', event => this.#handleKey(event));
	}

	#applyState(state: ReviewState): void {
		const before = this.#state?.shown;
		const { shown } = state;
		this.#state = state;
		if (shown && this.#drafts.get(shown.id) === shown.note) {
			this.#saveDraft(shown.id, undefined);
		}
		if (shown?.id !== before?.id) {
			this.#note = shown ? (this.#drafts.get(shown.id) ?? shown.note) : '';
			this.announcement = shown && this.#strings ? `${fill(this.#strings.progress, state.place + 1, state.count)}: ${shown.name}` : '';
		} else if (shown?.grade && (!before?.grade || before.label !== shown.label)) {
			this.announcement = this.#formatDecision(shown);
		}
		this.render();
		if (shown?.id !== before?.id) {
			document.querySelector('main')?.scrollTo(0, 0);
			// so that the next key is a label and not a part of a note
			document.querySelector<HTMLElement>('#note:focus')?.blur();
		}
	}

	#saveDraft(id: string, note: string | undefined): void {
		this.#drafts.delete(id);
		if (note !== undefined) {
			this.#drafts.set(id, note);
		}
		this.host.saveFields({ drafts: Object.fromEntries([...this.#drafts].slice(-mostDrafts)) });
	}

	#handleKey(event: KeyboardEvent): void {
		const isTyping = event.target instanceof HTMLTextAreaElement;
		const label = labelNames['123'.indexOf(event.key)];
		if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
			this.#move(1);
		} else if (isTyping && event.key === 'Escape') {
			(event.target as HTMLElement).blur();
		} else if (isTyping || event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) {
			return;
		} else if (label !== undefined && event.key.length === 1) {
			this.#label(label);
		} else if (event.key.toLowerCase() === 'n') {
			document.querySelector<HTMLElement>('#note')?.focus();
		} else {
			return;
		}
		event.preventDefault();
	}

	#label(label: LabelName): void {
		const { shown } = this.#state ?? {};
		if (shown) {
			this.postMessage({ type: 'label', id: shown.id, label, note: this.#note });
		}
	}

	#move(by: -1 | 1): void {
		const { shown } = this.#state ?? {};
		if (shown) {
			this.postMessage({ type: 'move', id: shown.id, by, note: this.#note });
		}
	}

	protected override renderPage(): unknown {
		const [state, strings] = [this.#state, this.#strings];
		if (!state || !strings) {
			return undefined;
		}
		const { shown, problem, judging } = state;
		return html`${this.#renderHeader(state, strings)}
			<div class="statusLine ${problem || judging !== undefined ? '' : 'blank'}">
				${judging === undefined ? nothing : html`<span class="dim">${fill(strings.judging, formatNumber(judging))}</span>`}
				${problem ? html`<span class="problem" role="alert"><span class="codicon codicon-error" aria-hidden="true"></span>${problem}</span>` : nothing}
			</div>
			<main>${shown ? this.#renderOutput(shown, strings) : html`<p class="empty">${strings.empty}</p>`}</main>
			${shown ? this.#renderLabeling(shown, state, strings) : nothing}
			${shown ? html`<footer>${renderAgreement(state.judges, strings)}</footer>` : nothing}
			${this.renderAnnouncer()}`;
	}

	#renderHeader({ place, count, labeled, by, canJudgeAgain, judging }: ReviewState, strings: ReviewStrings): unknown {
		const facts = [
			fill(strings.progress, formatNumber(Math.min(count, place + 1)), formatNumber(count)),
			fill(strings.labeled, formatNumber(labeled)),
			fill(strings.by, by),
		];
		return html`<header class="top">
			<h1>${fill(strings.title, this.#name)}</h1>
			${count > 0 ? html`<span class="count dim">${facts.join(' · ')}</span>` : nothing}
			<div class="actions" role="toolbar" aria-label=${strings.actions}>
				<button
					type="button"
					class="wordButton"
					title=${canJudgeAgain ? strings.judgeAgainHint : strings.variantsHint}
					?disabled=${!canJudgeAgain || judging !== undefined || count === 0}
					@click=${() => this.postMessage({ type: 'judgeAgain' })}
				><span class="codicon codicon-law" aria-hidden="true"></span>${strings.judgeAgain}</button>
			</div>
		</header>`;
	}

	#renderOutput({ name, judge, rubric, inputs, output }: ReviewedOutput, strings: ReviewStrings): unknown {
		return html`<div class="caseHead">
				<h2>${name}</h2>
				<button type="button" class="wordButton" @click=${() => this.postMessage({ type: 'goToCase' })}><span class="codicon codicon-go-to-file" aria-hidden="true"></span>${strings.goToCase}</button>
			</div>
			<p class="dim">${fill(strings.judge, judge)}</p>
			${rubric === '' ? nothing : html`<details open><summary>${strings.rubric}</summary><p class="rubric">${rubric}</p></details>`}
			${inputs === '{}' ? nothing : html`<h3>${strings.inputs}</h3><pre tabindex="0" aria-label=${strings.inputs}>${inputs}</pre>`}
			<h3>${strings.output}</h3><pre tabindex="0" aria-label=${strings.output}>${output}</pre>`;
	}

	#renderLabeling(shown: ReviewedOutput, { place, count }: ReviewState, strings: ReviewStrings): unknown {
		return html`<section class="labeling" aria-label=${strings.yourLabel}>
			<div class="row">${labelNames.map(
				(label, at) => html`<button
					type="button"
					class="wordButton ${label}"
					aria-pressed=${shown.label === label ? 'true' : 'false'}
					aria-keyshortcuts=${at + 1}
					@click=${() => this.#label(label)}
				><span class="codicon codicon-${labelIcons[label]}" aria-hidden="true"></span>${strings.labels[label]} <kbd>${at + 1}</kbd></button>`,
			)}<span class="grow"></span>
				<button type="button" class="wordButton" ?disabled=${place === 0} @click=${() => this.#move(-1)}>${strings.previous}</button>
				<button type="button" class="wordButton" aria-keyshortcuts="Control+Enter" ?disabled=${place + 1 >= count} @click=${() => this.#move(1)}>${strings.next} <kbd>Ctrl+Enter</kbd></button>
			</div>
			<label for="note">${strings.note} <kbd>N</kbd></label>
			<textarea
				id="note"
				rows="2"
				maxlength="10000"
				placeholder=${strings.noteHint}
				.value=${live(this.#note)}
				@input=${(event: Event) => {
					this.#note = (event.target as HTMLTextAreaElement).value;
					this.#saveDraft(shown.id, this.#note === shown.note ? undefined : this.#note);
				}}
			></textarea>
			<p class="decision">${shown.grade ? html`${this.#formatDecision(shown)}${shown.grade.reason ? html`<br><span class="dim">${shown.grade.reason}</span>` : nothing}` : html`<span class="dim">${strings.hidden}</span>`}</p>
		</section>`;
	}

	#formatDecision({ label, grade }: ReviewedOutput): string {
		const strings = this.#strings;
		if (!grade || !strings) {
			return '';
		}
		const score = `${formatNumber(grade.score, { minimumFractionDigits: 2, maximumFractionDigits: 2 })} · ${grade.model}`;
		const isSame = (label === 'pass') === grade.passed;
		const text = label === 'skip' ? strings.decided[grade.passed ? 'passed' : 'failed'] : isSame ? strings.agrees : strings.disagrees;
		return fill(text, score);
	}
}
