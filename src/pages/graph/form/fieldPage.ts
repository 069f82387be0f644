import type { FormOperation, NodeForm, NodeFormField } from '../nodeForm/formTypes.ts';
import type { NodeFormStrings } from '../nodeForm/nodeFormStrings.ts';

type Path = NodeFormField['path'];

/** What a field of a form does with its page. */
export interface FieldPage {
	readonly form: NodeForm;
	readonly strings: NodeFormStrings;
	/** A field with its label, its help and its faults. */
	field(field: NodeFormField): unknown;
	/** The field alone; `label` names it for those who do not see what stands around it. */
	input(field: NodeFormField, label?: string): unknown;
	/** One change of the file. */
	edit(operation: FormOperation): void;
	/** A change that goes on while someone types: it is done at the next pause, or by the `edit` of the same field. */
	typed(operation: FormOperation): void;
	/** Opens a program or a template as a document of its own. */
	openCode(path: Path): void;
	/** Asks for something new in a list or a map, as it is by then: after what was asked for there before, because what is new is made of what is there. */
	add(path: Path, act: (field: NodeFormField) => void): void;
	/** Puts the focus on a field once it is there. */
	focusLater(path: Path): void;
	/** What is open of what can be opened and closed, for as long as the page is there. */
	isOpen(key: string): boolean;
	setOpen(key: string, open: boolean): void;
}

/** Sets a field of the node of a form; `undefined` takes it away. */
export function setting({ node }: NodeForm, path: Path, value: unknown): FormOperation {
	return { do: 'set', node, path, value };
}

/** ID of the element that a field is typed in. */
export function inputId({ path }: Pick<NodeFormField, 'path'>): string {
	return `field-${path.join('-')}`;
}

/** What a field is described by, for `aria-describedby`. */
export function describedBy(field: NodeFormField): string {
	return [...(field.help ? [`${inputId(field)}-help`] : []), ...(field.faults.length > 0 ? [`${inputId(field)}-faults`] : [])].join(' ');
}
