import type { FormField, FormOperation, NodeForm } from '../../../../src/graph/forms/formTypes.ts';
import type { NodeFormStrings } from '../../../../src/graph/forms/nodeFormStrings.ts';
import { NodeFormPane } from '../../../../src/webview/graph/form/nodeFormPane.ts';

/** What a form asked of its page, in order. */
export type Asked =
	| { readonly edit: FormOperation }
	| { readonly typed: FormOperation }
	| { readonly open: FormField['path'] }
	| { readonly did: 'undo' | 'redo' | 'leave' };

/** A page with nothing but a form; `show` gives it another one. */
export function formPage(strings: NodeFormStrings): { readonly asked: Asked[]; show(form: NodeForm | undefined): Promise<void> } {
	const asked: Asked[] = [];
	const root = document.body;
	const pane = new NodeFormPane(root, {
		strings,
		edit: edit => asked.push({ edit }),
		typed: typed => asked.push({ typed }),
		openCode: (_, path) => asked.push({ open: path }),
		undo: () => asked.push({ did: 'undo' }),
		redo: () => asked.push({ did: 'redo' }),
		leave: () => asked.push({ did: 'leave' }),
	});
	return {
		asked,
		async show(form) {
			pane.receive(form);
			await new Promise(resolve => setTimeout(resolve));
		},
	};
}
