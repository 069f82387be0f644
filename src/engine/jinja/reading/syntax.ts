import type { Value } from '../values/values.ts';

/** An expression of a template. */
export type Expression =
	| { readonly type: 'constant'; readonly value: Value }
	| { readonly type: 'name'; readonly name: string }
	| { readonly type: 'list' | 'tuple'; readonly items: readonly Expression[] }
	| { readonly type: 'dict'; readonly entries: readonly (readonly [Expression, Expression])[] }
	| { readonly type: 'condition'; readonly test: Expression; readonly yes: Expression; readonly no: Expression | undefined }
	| { readonly type: 'and' | 'or'; readonly left: Expression; readonly right: Expression }
	| { readonly type: 'not'; readonly operand: Expression }
	| { readonly type: 'signed'; readonly operator: string; readonly operand: Expression }
	| { readonly type: 'operation'; readonly operator: string; readonly left: Expression; readonly right: Expression }
	| { readonly type: 'comparison'; readonly first: Expression; readonly row: readonly (readonly [string, Expression])[] }
	| { readonly type: 'member'; readonly object: Expression; readonly name: string }
	| { readonly type: 'item'; readonly object: Expression; readonly key: Expression }
	| { readonly type: 'slice'; readonly object: Expression; readonly bounds: readonly (Expression | undefined)[] }
	| { readonly type: 'call'; readonly callee: Expression; readonly args: ArgumentList }
	/** `operand` is absent in a filter block, where the block's text is filtered. */
	| { readonly type: 'filter' | 'test'; readonly operand: Expression | undefined; readonly name: string; readonly args: ArgumentList };

export interface ArgumentList {
	readonly positional: readonly Expression[];
	readonly named: readonly (readonly [string, Expression])[];
	/** The `*list` and `**dict` arguments. */
	readonly spread: Expression | undefined;
	readonly spreadNamed: Expression | undefined;
}

/** The target of an assignment: a name, names for unpacking, or a member of a namespace. */
export type AssignmentTarget =
	| { readonly type: 'name'; readonly name: string }
	| { readonly type: 'member'; readonly object: string; readonly name: string }
	| { readonly type: 'tuple'; readonly items: readonly AssignmentTarget[] };

/** `source` and `line` hold the statement's text and line in the template, for messages. */
export type Statement =
	| { readonly type: 'text'; readonly text: string }
	| (Placed &
			(
				| { readonly type: 'print'; readonly value: Expression }
				| {
						readonly type: 'if';
						readonly branches: readonly { readonly test: Expression; readonly body: Body }[];
						readonly otherwise: Body;
				  }
				| {
						readonly type: 'for';
						readonly target: AssignmentTarget;
						readonly list: Expression;
						readonly test: Expression | undefined;
						readonly recursive: boolean;
						readonly body: Body;
						readonly otherwise: Body;
				  }
				| { readonly type: 'set'; readonly target: AssignmentTarget; readonly value: Expression }
				| { readonly type: 'setBlock'; readonly target: AssignmentTarget; readonly filter: Expression | undefined; readonly body: Body }
				| { readonly type: 'macro'; readonly macro: Macro }
				| { readonly type: 'callBlock'; readonly call: Expression; readonly caller: Macro }
				| { readonly type: 'filterBlock'; readonly filter: Expression; readonly body: Body }
				| { readonly type: 'with'; readonly values: readonly (readonly [AssignmentTarget, Expression])[]; readonly body: Body }
				| { readonly type: 'autoescape'; readonly on: Expression; readonly body: Body }
			));

export type Body = readonly Statement[];

export interface Placed {
	readonly source: string;
	readonly line: number;
}

export interface Macro {
	readonly name: string;
	readonly parameters: readonly { readonly name: string; readonly value: Expression | undefined }[];
	readonly body: Body;
}
