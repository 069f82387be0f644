/** Kind of change from the first app to the second. */
export type ChangeKind = 'added' | 'removed' | 'changed';

/** A node or note that differs in more than layout. */
export interface NodeChange {
	readonly kind: ChangeKind;
	readonly id: string;
	/** Title, or the ID if there is none. For a changed node, this is the title in the second app. */
	readonly title: string;
	/** Node type such as `llm`; `note` for notes. */
	readonly type: string;
	/** Differing fields of a changed node, such as `model.name` or `prompt_template[0].text`; at most 50. */
	readonly fields: readonly string[];
}

/** An edge that is in only one app, or whose fields differ. */
export interface EdgeChange {
	readonly kind: ChangeKind;
	/** ID and title of its source node. */
	readonly source: string;
	readonly sourceTitle: string;
	/** Output handle, such as `source` or `true`. */
	readonly handle: string;
	readonly target: string;
	readonly targetTitle: string;
}

/** An environment or conversation variable that differs. Values of secrets are neither compared nor shown. */
export interface VariableChange {
	readonly kind: ChangeKind;
	readonly of: 'environment' | 'conversation';
	readonly name: string;
	readonly secret: boolean;
	/** Differing fields of a changed variable. */
	readonly fields: readonly string[];
}

/** A field that differs. `before` and `after` are undefined if the app doesn't have it. */
export interface FieldChange {
	/** Path such as `app.name` or `workflow.features.opening_statement`. */
	readonly path: string;
	readonly before: unknown;
	readonly after: unknown;
}

/** Differences between two apps, from the first to the second. */
export interface AppDifference {
	/** True if the content is the same, regardless of layout. */
	readonly isSame: boolean;
	readonly nodes: readonly NodeChange[];
	readonly edges: readonly EdgeChange[];
	readonly variables: readonly VariableChange[];
	/** Name, description, icon, mode and the like: an import changes these for users immediately. */
	readonly app: readonly FieldChange[];
	readonly features: readonly FieldChange[];
	/** Everything else: settings of apps without a graph, unknown fields. */
	readonly other: readonly FieldChange[];
	/** True if the layout differs: positions and sizes of nodes, order of nodes and edges in the file, viewport. */
	readonly layout: boolean;
}
