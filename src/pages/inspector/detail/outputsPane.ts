import type { FromInspector } from '../inspectorMessages.ts';
import type { ShownRunState } from '../runState.ts';
import type { ShownTexts } from '../shownTexts.ts';
import { type OutputView, renderOutputs } from './outputsView.ts';

interface OutputsPaneParts {
	readonly texts: ShownTexts;
	post(message: FromInspector): void;
	onViewChosen(view: OutputView): void;
}

/** Shows the outputs of the run in the view that the user chose last, at first in the one that suits them. */
export class OutputsPane {
	#view: OutputView | undefined;
	readonly #parts: OutputsPaneParts;

	constructor(view: OutputView | undefined, parts: OutputsPaneParts) {
		this.#view = view;
		this.#parts = parts;
	}

	render({ head, strings, outputs, text, moment }: ShownRunState): unknown {
		const { texts, post, onViewChosen } = this.#parts;
		return renderOutputs({
			strings,
			outputs,
			moment,
			text,
			view: this.#view ?? (outputs?.every(({ isText }) => !isText) ? 'json' : 'text'),
			code: (id, shown) => texts.getCodeElement(id, shown),
			markdown: (id, shown) => texts.getMarkdownElement(id, shown, !head.live),
			post,
			select: view => {
				this.#view = view;
				onViewChosen(view);
			},
		});
	}
}
