/** Settings for a run of {@link manyNodes}, which starts more nodes than allowed by default. */
export const manyNodesSettings = { 'agentWorkbench.gateway.maxSteps': 10_000 };

/** An agent whose run sends about 10,000 node events: 900 iterations of five nodes. */
export const manyNodes = `app: {name: many, mode: workflow}
kind: app
version: "0.6.0"
workflow:
  graph:
    nodes:
      - {id: start, data: {type: start, title: Start, variables: []}}
      - {id: items, data: {type: code, title: Make items, code_language: javascript, variables: [], outputs: {items: {type: "array[number]"}}, code: "function main() { return { items: Array.from({ length: 900 }, (_, i) => i) }; }"}}
      - {id: each, data: {type: iteration, title: Each item, iterator_selector: [items, items], output_selector: [t4, output], start_node_id: each-start, is_parallel: false, output_type: "array[string]"}}
      - {id: each-start, parentId: each, data: {type: iteration-start, title: "", isInIteration: true, iteration_id: each}}
      - {id: t0, parentId: each, data: {type: template-transform, title: Step 1, isInIteration: true, iteration_id: each, template: "x", variables: []}}
      - {id: t1, parentId: each, data: {type: template-transform, title: Step 2, isInIteration: true, iteration_id: each, template: "x", variables: []}}
      - {id: t2, parentId: each, data: {type: template-transform, title: Step 3, isInIteration: true, iteration_id: each, template: "x", variables: []}}
      - {id: t3, parentId: each, data: {type: template-transform, title: Step 4, isInIteration: true, iteration_id: each, template: "x", variables: []}}
      - {id: t4, parentId: each, data: {type: template-transform, title: Step 5, isInIteration: true, iteration_id: each, template: "x", variables: []}}
      - {id: end, data: {type: end, title: End, outputs: [{variable: all, value_selector: [each, output]}]}}
    edges:
      - {id: a, source: start, target: items}
      - {id: b, source: items, target: each}
      - {id: e0, source: each-start, target: t0}
      - {id: e1, source: t0, target: t1}
      - {id: e2, source: t1, target: t2}
      - {id: e3, source: t2, target: t3}
      - {id: e4, source: t3, target: t4}
      - {id: z, source: each, target: end}
`;
