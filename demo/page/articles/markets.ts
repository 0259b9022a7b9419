import type { Article } from './article';

export const markets: readonly Article[] = [
  {
    folder: 'markets/wrap',
    slug: 'a-late-bounce-saves-a-nervous-week',
    section: 'Markets',
    kicker: 'Markets wrap',
    title: 'A late bounce saves a nervous week',
    description:
      'Indices closed where they opened, which after four days of worry felt like a win. What moved, what did not, and what Monday brings.',
    author: 'Imogen Tarrant',
    daysAgo: 0,
    keywords: ['stock index', 'futures', 'premarket', 'shares', 'markets', 'opening bell'],
    taxonomy: [
      ['Business and Finance/Economy/Financial Markets', 0.92],
      ['Personal Finance/Personal Investing/Stocks and Bonds', 0.71],
    ],
    art: 'chart',
    body: [
      'For most of the week the mood on trading floors was that of a waiting room. Nothing bad had been announced, and everybody behaved as if something soon would be. Then, in the last ninety minutes of Friday, buyers came back, the broad index recovered what it had lost since Tuesday, and the week ended almost exactly where it began.',
      'Futures had pointed the other way. In premarket trading the contracts that track large companies were down by nearly one per cent, after two retailers warned that shoppers were putting off big purchases. By the opening bell half of that fall was gone. Dealers described the early selling as tidy: funds trimming positions they had been meaning to trim anyway.',
      'The interesting part was underneath. Makers of dull things, from valves to cardboard, had their best week since spring, while the largest technology shares did nothing at all. When the quiet end of the market rises on its own, fund managers say, investors are buying earnings and not a story.',
      'Monday brings three sets of factory orders and a bond auction. Neither would normally trouble a weekend. After this week, quite a few people will be up early to see the first prices.',
    ],
    quote: 'When the quiet end of the market rises on its own, investors are buying earnings and not a story.',
  },
  {
    folder: 'markets/stocks',
    slug: 'the-case-for-boring-shares',
    section: 'Markets',
    kicker: 'Stocks',
    title: 'The case for boring shares',
    description:
      'Companies that nobody talks about have beaten the ones everybody owns for two quarters running. Is it a rotation, or just rest?',
    author: 'Caspar Lindqvist',
    daysAgo: 1,
    keywords: ['shares', 'stocks', 'dividends', 'portfolio', 'earnings'],
    taxonomy: [
      ['Personal Finance/Personal Investing/Stocks and Bonds', 0.94],
      ['Business and Finance/Economy/Financial Markets', 0.66],
    ],
    art: 'bars',
    body: [
      'There is a firm in the Midlands that makes the plastic clips which hold cables to walls. It has raised its dividend for nineteen years, it has never had a chief executive on a magazine cover, and since March its shares have risen by a third. It is not alone. Across Europe, the companies that analysts cover least have been the ones to own.',
      'The simplest explanation is arithmetic. When borrowing was free, a distant profit was worth nearly as much as a near one, and the market paid for distance. Now that money costs something again, a company that earns its keep today needs no imagination to value.',
      'Sceptics call it a pause. The big names still grow faster, and every rotation of the past decade has ended with investors going home to them. But the managers of smaller funds point to something new: the boring companies are buying back shares at a rate not seen since the series began.',
      'For private investors the lesson may be about temperament. Boring shares do not make boring returns; they make boring conversations. Those who can bear the second have usually been paid the first.',
    ],
  },
  {
    folder: 'markets/commodities',
    slug: 'coppers-quiet-squeeze',
    section: 'Markets',
    kicker: 'Commodities',
    title: 'Copper’s quiet squeeze reaches the factory floor',
    description:
      'Warehouses are emptying, futures are calm. The people who bend the metal for a living believe the warehouses.',
    author: 'Adaeze Okonjo',
    daysAgo: 2,
    keywords: ['copper', 'futures contract', 'commodities', 'manufacturing', 'logistics'],
    taxonomy: [
      ['Business and Finance/Economy/Commodities', 0.95],
      ['Business and Finance/Industries/Manufacturing Industry', 0.61],
    ],
    art: 'coils',
    body: [
      'The price of copper has hardly moved since the summer. The waiting time for copper tube has doubled. Between these two facts lies a puzzle that heating engineers, who buy the tube, would like somebody to solve before the cold weather.',
      'Part of the answer is a matter of shape. Traded copper is a slab of known purity in a known shed. What builders need is tube, strip and wire, and the mills that make them closed lines during the lean years. There is metal. There are not enough hands and furnaces to bend it.',
      'The futures market does not price furnaces. A buyer who hedged with a contract is protected against a dearer slab, and not at all against a supplier who will not quote. Several mid-sized manufacturers say they have gone back to an older instrument: the long lunch with a stockist.',
      'Traders expect the gap to close next year, when two mills reopen. Until then the useful number is not on any screen. It is the one that the man at the trade counter gives you, and it is in weeks.',
    ],
  },
  {
    folder: 'markets/funds',
    slug: 'fund-houses-learn-to-sell-patience',
    section: 'Markets',
    kicker: 'Funds',
    title: 'Fund houses learn to sell patience',
    description:
      'Fees are falling and attention spans with them. Asset managers have a new pitch: please look at us less often.',
    author: 'Imogen Tarrant',
    daysAgo: 4,
    keywords: ['asset management', 'fund manager', 'index funds', 'fees', 'portfolio'],
    taxonomy: [
      ['Personal Finance/Personal Investing/Mutual Funds', 0.96],
      ['Business and Finance/Industries/Financial Industry', 0.7],
    ],
    art: 'columns',
    body: [
      'The app of one large fund house used to greet its customers with a number in green or red. Since September it greets them with a question: what is this money for? The number is still there, two screens further in. Sales staff were horrified. Withdrawals fell by a fifth.',
      'Asset management is an odd trade, in which the customer often does best by doing nothing and the supplier is paid whether he does or not. What hurts both is the sale in a panic. So the industry, having spent a decade making it easier to look, is now spending money on making it pleasant not to.',
      'Index funds made the product cheap; they also made it the same everywhere. A manager who cannot be cheaper or cleverer can at least be calmer. Some send one letter a year. One has hired a former hospice nurse to train the people who answer the telephone.',
      'Whether calm can be charged for is another question. The average fee has halved in twelve years and nobody expects it to rise. But a customer who stays nineteen years instead of nine is worth a great deal, even at a tenth of a per cent.',
    ],
  },
  {
    folder: 'investing/reference',
    slug: 'what-is-an-expense-ratio',
    section: 'Investing',
    kicker: 'Investing reference',
    title: 'What is an expense ratio?',
    description:
      'The one number on a fund’s fact sheet that you can do something about, explained with a loaf of bread.',
    author: 'The Reference Desk',
    daysAgo: 12,
    keywords: ['expense ratio', 'index funds', 'fees', 'investing', 'asset management'],
    taxonomy: [
      ['Personal Finance/Personal Investing/Mutual Funds', 0.9],
      ['Personal Finance/Personal Investing', 0.9],
    ],
    art: 'loaf',
    body: [
      'An expense ratio says what share of your money a fund keeps each year to pay for itself: its managers, its custodian, its auditors, its post. If the ratio is 0.5 per cent and you have ten thousand in the fund, fifty leaves in the course of the year. You never see a bill, because it is taken a sliver at a time from the price.',
      'Think of a loaf from which somebody cuts a slice every January, before you come to the table. One thin slice does not matter. Thirty of them do, because you also lose what each slice would have become. Over thirty years at five per cent growth, a ratio of one per cent takes roughly a quarter of the final sum.',
      'Two things are not in the number. Dealing costs inside the fund come on top, and so does whatever your platform or adviser charges. Some funds publish a wider figure that includes dealing; when you compare two funds, compare the same figure.',
      'A low ratio does not make a fund good, but it is the only part of next year’s return that you can know today.',
    ],
  },
];
