/** An agent that loops for a long time, so that a test can stop it. It mostly waits, which leaves the processor to other programs. */
export const slow = `app: {name: slow, mode: workflow}
kind: app
version: "0.6.0"
workflow:
  graph:
    nodes:
      - {id: start, data: {type: start, title: Start, variables: []}}
      - {id: items, data: {type: code, title: Make items, code_language: javascript, variables: [], outputs: {items: {type: "array[number]"}}, code: "function main() { return { items: Array.from({ length: 450 }, (_, i) => i) }; }"}}
      - {id: each, data: {type: iteration, title: Each item, iterator_selector: [items, items], output_selector: [wait, text], start_node_id: each-start, is_parallel: false, output_type: "array[string]"}}
      - {id: each-start, parentId: each, data: {type: iteration-start, title: "", isInIteration: true, iteration_id: each}}
      - {id: wait, parentId: each, data: {type: llm, title: Take a while, isInIteration: true, iteration_id: each, context: {enabled: false, variable_selector: []}, vision: {enabled: false}, prompt_template: [{role: user, text: "[offline: tokens=1 delay=600]"}], model: {provider: offline, name: offline, mode: chat, completion_params: {}}}}
      - {id: end, data: {type: end, title: End, outputs: [{variable: all, value_selector: [each, output]}]}}
    edges:
      - {id: a, source: start, target: items}
      - {id: b, source: items, target: each}
      - {id: c, source: each-start, target: wait}
      - {id: d, source: each, target: end}
`;
