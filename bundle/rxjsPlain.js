// Parts of RxJS that call `reduce`, in place of RxJS's own modules of these names: Prototype.js 1.6 has put a `reduce`
// into all lists that reduces nothing.
const identity = (value) => value;

export const pipeFromArray = (operators) => {
  if (operators.length === 0) return identity;
  if (operators.length === 1) return operators[0];
  return (source) => {
    let result = source;
    for (const operator of operators) result = operator(result);
    return result;
  };
};
export const pipe = (...operators) => pipeFromArray(operators);
export const createObject = (keys, values) => {
  const made = {};
  keys.forEach((key, i) => {
    made[key] = values[i];
  });
  return made;
};
