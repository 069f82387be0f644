/** How a thing differs between two apps, from the first to the second. */
export type ChangeKind = 'added' | 'removed' | 'changed';

/** A node (or a note) that differs in more than layout. */
export interface NodeChange {
	readonly kind: ChangeKind;
	readonly id: string;
	/** Title, else ID; of a changed node that of the second app. */
	readonly title: string;
	/** As in `llm`; `note` for notes. */
	readonly type: string;
	/** Fields that differ, as in `model.name` or `prompt_template[0].text`; of a changed node alone, at most fifty. */
	readonly fields: readonly string[];
}

/** A connection between two nodes that is there in one of them alone, or differs in its fields. */
export interface EdgeChange {
	readonly kind: ChangeKind;
	/** ID of its first node, and what people call that. */
	readonly source: string;
	readonly sourceTitle: string;
	/** Way out, as in `source` or `true`. */
	readonly handle: string;
	readonly target: string;
	readonly targetTitle: string;
}

/** A variable of environment or conversation that differs. Values of secrets are neither compared nor told. */
export interface VariableChange {
	readonly kind: ChangeKind;
	readonly of: 'environment' | 'conversation';
	readonly name: string;
	readonly secret: boolean;
	/** Fields that differ, of a changed one alone. */
	readonly fields: readonly string[];
}

/** A field that differs. `before` and `after` are absent where the app has none. */
export interface FieldChange {
	/** As in `app.name` or `workflow.features.opening_statement`. */
	readonly path: string;
	readonly before: unknown;
	readonly after: unknown;
}

/** How a second app differs from a first one. */
export interface AppDifference {
	/** Whether they say the same, whatever their layout: their content hashes are the same. */
	readonly isSame: boolean;
	readonly nodes: readonly NodeChange[];
	readonly edges: readonly EdgeChange[];
	readonly variables: readonly VariableChange[];
	/** Name, description, icon, mode and the like: an import changes these for users at once. */
	readonly app: readonly FieldChange[];
	readonly features: readonly FieldChange[];
	/** Anything else: the settings of an app without a graph, fields that no release had yet. */
	readonly other: readonly FieldChange[];
	/** Whether the layout differs: places and sizes of nodes, the order of nodes and edges in the file, the view. */
	readonly layout: boolean;
}
