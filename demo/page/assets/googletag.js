/*
 * A stand-in for Google Publisher Tag, for this demo only. No ad server is asked: house ads are chosen here by the
 * targeting of the page and of the slot, and say so. The API keeps the documented meaning of the calls it has.
 * data-api="config" on the script element leaves out the page targeting calls that googletag.setConfig has replaced.
 */
(function () {
  'use strict';

  var script = document.currentScript;
  var configOnly = Boolean(script && script.dataset.api === 'config');
  var service = 'publisher_ads';
  var answerAfterMs = 60;

  // First match wins; the last line is for everybody. `cohorts` are values of the key "permutive".
  var lineItems = [
    {
      cohorts: ['20601', '20111', 'psav'],
      creative: 'savings',
      lineItemId: 5123456701,
      creativeId: 138401,
      campaignId: 2801,
      advertiserId: 4400112202,
    },
    {
      cohorts: ['20213', 'tsec', '20226'],
      creative: 'security',
      lineItemId: 5123456711,
      creativeId: 138411,
      campaignId: 2802,
      advertiserId: 4400112203,
    },
    {
      cohorts: ['20109', '20110', '20602', 'bsml'],
      creative: 'business',
      lineItemId: 5123456721,
      creativeId: 138421,
      campaignId: 2803,
      advertiserId: 4400112201,
    },
    {
      cohorts: ['20121', 'egrn'],
      creative: 'energy',
      lineItemId: 5123456731,
      creativeId: 138431,
      campaignId: 2804,
      advertiserId: 4400112204,
    },
    {
      cohorts: ['20117', '20104', 'blog'],
      creative: 'freight',
      lineItemId: 5123456741,
      creativeId: 138441,
      campaignId: 2805,
      advertiserId: 4400112205,
    },
    {
      cohorts: ['20101', 'mstk', 'mfnd'],
      creative: 'markets',
      lineItemId: 5123456751,
      creativeId: 138451,
      campaignId: 2806,
      advertiserId: 4400112206,
    },
    {
      cohorts: [],
      creative: 'subscribe',
      lineItemId: 5123456791,
      creativeId: 138491,
      campaignId: 2899,
      advertiserId: 4400112299,
    },
  ];

  var complain = function (error) {
    console.error('googletag stand-in:', error);
  };
  var guarded = function (callback, argument) {
    try {
      callback(argument);
    } catch (error) {
      complain(error);
    }
  };
  var strings = function (value) {
    return (Array.isArray(value) ? value : [value]).map(String);
  };

  // Page targeting and slot targeting are the same kind of table.
  function targetingTable() {
    var values = new Map();
    return {
      // An empty list says nothing to an ad server, so its key goes.
      set: function (key, value) {
        if (typeof key !== 'string' || key === '' || value === undefined || value === null) return;
        if (strings(value).length > 0) values.set(key, strings(value));
        else values.delete(key);
      },
      get: function (key) {
        return (values.get(key) || []).slice();
      },
      keys: function () {
        return Array.from(values.keys());
      },
      clear: function (key) {
        if (key === undefined) values.clear();
        else values.delete(key);
      },
      merge: function (update) {
        if (update === null) {
          values.clear();
          return;
        }
        var table = this;
        Object.keys(update || {}).forEach(function (key) {
          if (update[key] === null) values.delete(key);
          else table.set(key, update[key]);
        });
      },
      toObject: function () {
        var all = {};
        values.forEach(function (value, key) {
          all[key] = value.slice();
        });
        return all;
      },
    };
  }

  var page = targetingTable();
  var slots = [];
  var listeners = {};
  var servicesEnabled = false;
  var initialLoadDisabled = false;
  var singleRequest = false;

  function emit(type, slot, fields) {
    (listeners[type] || []).slice().forEach(function (listener) {
      guarded(listener, Object.assign({ slot: slot.api, serviceName: service }, fields));
    });
  }

  function addTargetingCalls(target, table) {
    target.setTargeting = function (key, value) {
      table.set(key, value);
      return target;
    };
    target.getTargeting = function (key) {
      return table.get(key);
    };
    target.getTargetingKeys = function () {
      return table.keys();
    };
    target.clearTargeting = function (key) {
      table.clear(key);
      return target;
    };
  }

  function asSizes(sizes) {
    return Array.isArray(sizes[0]) ? sizes : [sizes];
  }

  function defineSlot(adUnitPath, sizes, divId) {
    if (
      typeof adUnitPath !== 'string' ||
      slots.some(function (slot) {
        return slot.divId === divId;
      })
    )
      return null;
    var slot = {
      divId: divId,
      sizes: asSizes(sizes),
      targeting: targetingTable(),
      displayed: false,
      inView: 0,
      response: null,
      observer: null,
      viewableTimer: 0,
      services: [],
    };
    slot.api = {
      addService: function (added) {
        slot.services.push(added);
        return slot.api;
      },
      getAdUnitPath: function () {
        return adUnitPath;
      },
      getSlotElementId: function () {
        return divId;
      },
      getSizes: function () {
        return slot.sizes.map(function (size) {
          return {
            getWidth: function () {
              return size[0];
            },
            getHeight: function () {
              return size[1];
            },
          };
        });
      },
      getServices: function () {
        return slot.services.slice();
      },
      getResponseInformation: function () {
        return slot.response;
      },
      setConfig: function (config) {
        if ('targeting' in config) slot.targeting.merge(config.targeting);
      },
      getConfig: function () {
        return { targeting: slot.targeting.toObject() };
      },
      setCollapseEmptyDiv: function () {
        return slot.api;
      },
    };
    addTargetingCalls(slot.api, slot.targeting);
    slots.push(slot);
    return slot.api;
  }

  var inner = function (api) {
    return slots.find(function (slot) {
      return slot.api === api;
    });
  };

  function choose(slot) {
    var wanted = page.get('permutive').concat(slot.targeting.get('permutive'));
    return lineItems.find(function (item) {
      return (
        item.cohorts.length === 0 ||
        item.cohorts.some(function (code) {
          return wanted.indexOf(code) >= 0;
        })
      );
    });
  }

  function sizeFor(slot, element) {
    var width = element.clientWidth || window.innerWidth;
    return (
      slot.sizes.find(function (size) {
        return size[0] <= width;
      }) || slot.sizes[slot.sizes.length - 1]
    );
  }

  function frameFor(slot, item, size) {
    var targeting = Object.assign(page.toObject(), slot.targeting.toObject());
    var address = new URLSearchParams({
      creative: item.creative,
      w: size[0],
      h: size[1],
      ad_unit_path: slot.api.getAdUnitPath(),
      creative_id: item.creativeId,
      advertiser_id: item.advertiserId,
      order_id: item.campaignId,
      line_item_id: item.lineItemId,
      targeting: JSON.stringify(targeting),
    });
    var frame = document.createElement('iframe');
    frame.id = 'google_ads_iframe_' + slot.api.getAdUnitPath() + '_0';
    frame.name = frame.id;
    frame.title = 'Advertisement';
    frame.width = String(size[0]);
    frame.height = String(size[1]);
    frame.setAttribute('scrolling', 'no');
    frame.setAttribute('frameborder', '0');
    frame.src = '/ad?' + address.toString();
    return frame;
  }

  function watch(slot) {
    if (slot.observer) slot.observer.disconnect();
    var viewable = false;
    slot.observer = new IntersectionObserver(
      function (entries) {
        var percentage = Math.round(entries[entries.length - 1].intersectionRatio * 100);
        if (percentage !== slot.inView) {
          slot.inView = percentage;
          emit('slotVisibilityChanged', slot, { inViewPercentage: percentage });
        }
        if (percentage < 50) {
          clearTimeout(slot.viewableTimer);
          slot.viewableTimer = 0;
          return;
        }
        // Half of the ad in view for one second without a break counts as viewable, once for each ad.
        if (!viewable && !slot.viewableTimer)
          slot.viewableTimer = setTimeout(function () {
            viewable = true;
            emit('impressionViewable', slot, {});
          }, 1000);
      },
      { threshold: [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1] },
    );
    slot.observer.observe(document.getElementById(slot.divId));
  }

  function clear(slot) {
    var element = document.getElementById(slot.divId);
    clearTimeout(slot.viewableTimer);
    slot.viewableTimer = 0;
    if (slot.observer) slot.observer.disconnect();
    if (element) element.replaceChildren();
    slot.response = null;
  }

  function render(slot) {
    var element = document.getElementById(slot.divId);
    if (!element || slots.indexOf(slot) < 0) return;
    var item = choose(slot);
    var size = sizeFor(slot, element);
    clear(slot);
    slot.response = {
      advertiserId: item.advertiserId,
      campaignId: item.campaignId,
      creativeId: item.creativeId,
      creativeTemplateId: null,
      lineItemId: item.lineItemId,
    };
    emit('slotResponseReceived', slot, {});
    var frame = frameFor(slot, item, size);
    frame.addEventListener(
      'load',
      function () {
        emit('slotOnload', slot, {});
      },
      { once: true },
    );
    var container = document.createElement('div');
    container.id = 'google_ads_iframe_' + slot.api.getAdUnitPath() + '_0__container__';
    container.append(frame);
    element.append(container);
    emit('slotRenderEnded', slot, {
      isEmpty: false,
      slotContentChanged: true,
      size: size.slice(),
      advertiserId: item.advertiserId,
      campaignId: item.campaignId,
      creativeId: item.creativeId,
      creativeTemplateId: null,
      labelIds: null,
      lineItemId: item.lineItemId,
      sourceAgnosticCreativeId: item.creativeId,
      sourceAgnosticLineItemId: item.lineItemId,
      isBackfill: false,
      yieldGroupIds: null,
      companyIds: null,
    });
    watch(slot);
  }

  // With a single request every slot is announced before the first answer comes back.
  function request(wanted) {
    if (singleRequest) {
      wanted.forEach(function (slot) {
        emit('slotRequested', slot, {});
      });
      setTimeout(function () {
        wanted.forEach(render);
      }, answerAfterMs);
      return;
    }
    wanted.forEach(function (slot) {
      emit('slotRequested', slot, {});
      setTimeout(function () {
        render(slot);
      }, answerAfterMs);
    });
  }

  var pubads = {
    enableSingleRequest: function () {
      if (servicesEnabled) return false;
      singleRequest = true;
      return true;
    },
    disableInitialLoad: function () {
      if (!servicesEnabled) initialLoadDisabled = true;
    },
    isInitialLoadDisabled: function () {
      return initialLoadDisabled;
    },
    refresh: function (wanted) {
      if (!servicesEnabled) return;
      var list = wanted === undefined || wanted === null ? slots.slice() : wanted.map(inner).filter(Boolean);
      request(
        list.filter(function (slot) {
          return slot.displayed;
        }),
      );
    },
    clear: function (wanted) {
      (wanted ? wanted.map(inner).filter(Boolean) : slots.slice()).forEach(clear);
      return true;
    },
    addEventListener: function (type, listener) {
      if (typeof listener === 'function') (listeners[type] = listeners[type] || []).push(listener);
      return pubads;
    },
    removeEventListener: function (type, listener) {
      var at = (listeners[type] || []).indexOf(listener);
      if (at >= 0) listeners[type].splice(at, 1);
    },
    getSlots: function () {
      return slots.map(function (slot) {
        return slot.api;
      });
    },
    getName: function () {
      return service;
    },
    collapseEmptyDivs: function () {
      return true;
    },
    setPublisherProvidedId: function () {
      return pubads;
    },
    updateCorrelator: function () {
      return pubads;
    },
  };
  if (!configOnly) addTargetingCalls(pubads, page);

  var googletag = (window.googletag = window.googletag || {});
  var queued = Array.isArray(googletag.cmd) ? googletag.cmd : [];

  Object.assign(googletag, {
    apiReady: true,
    pubadsReady: false,
    getVersion: function () {
      return 'stand-in';
    },
    pubads: function () {
      return pubads;
    },
    defineSlot: defineSlot,
    enableServices: function () {
      servicesEnabled = true;
      googletag.pubadsReady = true;
    },
    display: function (target) {
      var id =
        typeof target === 'string'
          ? target
          : target && (target.id || (target.getSlotElementId && target.getSlotElementId()));
      var slot = slots.find(function (candidate) {
        return candidate.divId === id;
      });
      if (!slot || slot.displayed) return;
      slot.displayed = true;
      if (servicesEnabled && !initialLoadDisabled) request([slot]);
    },
    destroySlots: function (wanted) {
      var gone = wanted ? wanted.map(inner).filter(Boolean) : slots.slice();
      gone.forEach(function (slot) {
        clear(slot);
        slots.splice(slots.indexOf(slot), 1);
      });
      return gone.length > 0;
    },
    setConfig: function (config) {
      if ('targeting' in config) page.merge(config.targeting);
      if (config.disableInitialLoad === true) pubads.disableInitialLoad();
      if (config.singleRequest === true) pubads.enableSingleRequest();
      // The real tag does not show the signals; here they stand on the tag for whoever is curious.
      if ('pps' in config) googletag.pps = config.pps;
    },
    getConfig: function (keys) {
      var all = { targeting: page.toObject(), disableInitialLoad: initialLoadDisabled, singleRequest: singleRequest };
      var picked = {};
      (Array.isArray(keys) ? keys : [keys]).forEach(function (key) {
        if (key in all) picked[key] = all[key];
      });
      return picked;
    },
    cmd: {
      push: function () {
        Array.prototype.forEach.call(arguments, function (command) {
          guarded(function () {
            command.call(googletag);
          });
        });
        return arguments.length;
      },
    },
  });
  googletag.cmd.push.apply(null, queued);

  // Each provider of a secure signal is asked once, and its signal is kept where Google keeps it.
  var providers = googletag.secureSignalProviders || [];
  googletag.secureSignalProviders = {
    push: function () {
      Array.prototype.forEach.call(arguments, function (provider) {
        provider.collectorFunction().then(function (signal) {
          try {
            if (signal) localStorage.setItem('_GESPSK-' + provider.id, JSON.stringify([provider.id, signal]));
          } catch {
            // No room: the signal is asked for again.
          }
        });
      });
    },
  };
  googletag.secureSignalProviders.push.apply(null, providers);
})();
