/** Prefix of model names that refer to agents. */
const prefix = 'agent/';

/** True if the model name refers to an agent. */
export function isAgentModel(model: string): boolean {
	return model.startsWith(prefix);
}

/** Returns the agent name of a model. */
export function toAgentName(model: string): string {
	return model.slice(prefix.length);
}

/** Returns the model name of an agent. */
export function toModelName(agent: string): string {
	return prefix + agent;
}
