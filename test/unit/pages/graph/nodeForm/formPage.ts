import { NodeFormPane } from '#pages/graph/form/nodeFormPane.ts';
import { trackPresses } from '#pages/graph/form/press.ts';
import type { FormOperation, NodeForm, NodeFormField } from '#pages/graph/nodeForm/formTypes.ts';
import type { NodeFormStrings } from '#pages/graph/nodeForm/nodeFormStrings.ts';

/** Requests of a form to its page, in order. */
export type Asked =
	| { readonly edit: FormOperation }
	| { readonly typed: FormOperation }
	| { readonly open: NodeFormField['path'] }
	| { readonly did: 'undo' | 'redo' | 'leave' };

/** A page that contains only a form. */
export interface FormPage {
	readonly asked: Asked[];
	/** Number of requested operations. */
	readonly count: number;
	/** Shows a form that includes the first `done` requested operations; by default, all of them. */
	show(form: NodeForm | undefined, done?: number): Promise<void>;
	/** Marks this many operations as done or refused. */
	markRequestsDone(done: number): Promise<void>;
}

export function createFormPage(strings: NodeFormStrings): FormPage {
	const asked: Asked[] = [];
	let count = 0;
	trackPresses(window, '.nothing');
	const root = document.body;
	const pane = new NodeFormPane(root, {
		strings,
		edit: edit => {
			asked.push({ edit });
			return ++count;
		},
		sendTyped: typed => {
			asked.push({ typed });
			return ++count;
		},
		openCode: (_, path) => asked.push({ open: path }),
		undo: () => asked.push({ did: 'undo' }),
		redo: () => asked.push({ did: 'redo' }),
		leave: () => asked.push({ did: 'leave' }),
	});
	return {
		asked,
		get count() {
			return count;
		},
		async show(form, done = count) {
			pane.receiveForm(form, done);
			await waitUntilDrawn();
		},
		async markRequestsDone(done) {
			pane.markRequestsDone(done);
			await waitUntilDrawn();
		},
	};
}

const waitUntilDrawn = () => new Promise(resolve => setTimeout(resolve));
