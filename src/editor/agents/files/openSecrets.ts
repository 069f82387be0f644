import { agentGraph } from '#agentFile/agentGraph.ts';
import { AgentText } from '#agentFile/agentText.ts';
import { itemsOf, textOf } from '#base/records/plainValues.ts';

/** A secret environment variable that an agent file leaves open: empty, or taken from the environment variable that it names. */
export interface OpenSecret {
	readonly name: string;
	readonly description: string;
	/** Environment variable that the file names. */
	readonly environment?: string;
}

/** The secrets that the text of an agent file leaves open; none of a text that cannot be read, which is refused when it is run. */
export function openSecrets(text: string): readonly OpenSecret[] {
	const { content } = new AgentText(text);
	return itemsOf(agentGraph(content).workflow, 'environment_variables').flatMap(variable => {
		const value = textOf(variable, 'value');
		const environment = /^\$\{env:(\w+)\}$/.exec(value)?.[1];
		const isOpen = textOf(variable, 'value_type') === 'secret' && (value === '' || environment !== undefined);
		const name = textOf(variable, 'name');
		return isOpen && name !== '' ? [{ name, description: textOf(variable, 'description'), ...(environment && { environment }) }] : [];
	});
}
