import type { FormOperation, NodeForm, NodeFormField } from '../nodeForm/formTypes.ts';
import type { NodeFormStrings } from '../nodeForm/nodeFormStrings.ts';

type Path = NodeFormField['path'];

/** Callbacks and strings that form fields need from their page. */
export interface FieldPage {
	readonly form: NodeForm;
	readonly strings: NodeFormStrings;
	/** Renders a field with its label, help and problems. */
	renderField(field: NodeFormField): unknown;
	/** Renders only the input of a field; `label` is its accessible name. */
	renderInput(field: NodeFormField, label?: string): unknown;
	/** Changes the file. */
	edit(operation: FormOperation): void;
	/** Changes the file while the user types. The change is applied at the next pause, or replaced by an `edit` of the same field. */
	sendTyped(operation: FormOperation): void;
	/** Opens code or a template as a separate document. */
	openCode(path: Path): void;
	/** Calls `act` with a list or map as soon as the file contains pending additions to it, because new items depend on the existing ones. */
	add(path: Path, act: (field: NodeFormField) => void): void;
	/** Focuses a field as soon as it exists. */
	focusLater(path: Path): void;
	/** True if a collapsible part is open. Remembered until the page is closed. */
	isOpen(key: string): boolean;
	setOpen(key: string, open: boolean): void;
}

/** Creates the operation that sets a field of the form's node; `undefined` removes it. */
export function createSetOperation({ node }: NodeForm, path: Path, value: unknown): FormOperation {
	return { do: 'set', node, path, value };
}

/** Returns the ID of a field's input element. */
export function getInputId({ path }: Pick<NodeFormField, 'path'>): string {
	return `field-${path.join('-')}`;
}

/** Returns the IDs for `aria-describedby` of a field. */
export function getDescriptionIds(field: NodeFormField): string {
	return [...(field.help ? [`${getInputId(field)}-help`] : []), ...(field.faults.length > 0 ? [`${getInputId(field)}-faults`] : [])].join(
		' ',
	);
}
