import { getField, getFieldText, getItems } from '#base/records/plainValues.ts';
import { type AgentGraph, type GraphNode, graphPath, readAgentGraph } from '../agentGraph.ts';
import type { AgentReading } from '../reading/agentReading.ts';
import { findNodeAt } from '../yamlTree.ts';

/** An expression in double braces that is being typed. */
interface TypedExpression {
	/** `#` for a reference, else the space after the braces. */
	readonly start: string;
	readonly typed: string;
}

/** A variable of a Jinja template, and the selector of its value. */
interface TemplateVariable {
	readonly name: string;
	readonly selector: string;
}

/** Finds the first word of an expression before an offset: `{{#node.na` or `{{ na`. */
export function findTypedExpression(text: string, offset: number): TypedExpression | undefined {
	const lineStart = text.lastIndexOf('\n', offset - 1) + 1;
	const found = /\{\{(#|-?[ \t]*)([\w.]*)$/.exec(text.slice(lineStart, offset));
	return found ? { start: found[1] ?? '', typed: found[2] ?? '' } : undefined;
}

/** Returns the node whose text contains an offset. */
export function findNodeAround({ root }: AgentReading, { nodes }: AgentGraph, offset: number): GraphNode | undefined {
	return nodes.find(({ at }) => {
		const node = findNodeAt(root, [...graphPath, 'nodes', at]);
		return node && offset > node.offset && offset <= node.offset + node.length;
	});
}

/** Returns the variables of the Jinja template of the node at an offset, or `undefined` if the node has no template. */
export function listTemplateVariables(reading: AgentReading, offset: number): readonly TemplateVariable[] | undefined {
	const { type, data } = findNodeAround(reading, readAgentGraph(reading.content), offset) ?? {};
	const isTemplate = type === 'template-transform';
	const variables = getItems(isTemplate ? data : getField(data, 'prompt_config'), isTemplate ? 'variables' : 'jinja2_variables');
	return isTemplate || variables.length > 0
		? variables.map(each => ({ name: getFieldText(each, 'variable'), selector: getItems(each, 'value_selector').map(String).join('.') }))
		: undefined;
}
