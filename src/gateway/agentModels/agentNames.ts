/** What names of agents begin with where they are models. */
const prefix = 'agent/';

/** Whether a model's name is that of an agent. */
export function isAgentModel(model: string): boolean {
	return model.startsWith(prefix);
}

/** Name of the agent that a model stands for. */
export function agentOfModel(model: string): string {
	return model.slice(prefix.length);
}

/** Name of the model that stands for an agent. */
export function modelOfAgent(agent: string): string {
	return prefix + agent;
}
