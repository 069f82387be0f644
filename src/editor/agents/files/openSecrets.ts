import { readAgentGraph } from '#agentFile/agentGraph.ts';
import { AgentText } from '#agentFile/agentText.ts';
import { getFieldText, getItems } from '#base/records/plainValues.ts';

/** A secret environment variable whose value in the agent file is empty or refers to an environment variable of the system. */
export interface OpenSecret {
	readonly name: string;
	readonly description: string;
	/** Name of the system's environment variable, if the value refers to one. */
	readonly environment?: string;
}

/** Returns the secrets that an agent file has no value for. Returns none if the file can't be parsed, because it can't run either. */
export function listOpenSecrets(text: string): readonly OpenSecret[] {
	const { content } = new AgentText(text);
	return getItems(readAgentGraph(content).workflow, 'environment_variables').flatMap(variable => {
		const value = getFieldText(variable, 'value');
		const environment = /^\$\{env:(\w+)\}$/.exec(value)?.[1];
		const isOpen = getFieldText(variable, 'value_type') === 'secret' && (value === '' || environment !== undefined);
		const name = getFieldText(variable, 'name');
		return isOpen && name !== '' ? [{ name, description: getFieldText(variable, 'description'), ...(environment && { environment }) }] : [];
	});
}
